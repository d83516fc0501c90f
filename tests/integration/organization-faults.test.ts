import { afterAll } from "vitest";
import { type OrganizationChange, testChanges } from "../support/organization-changes.ts";
import { anOrganization } from "../support/organizations.ts";
import { aSignedInUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
afterAll(() => gatehouse[Symbol.asyncDispose]());

type Company = Awaited<ReturnType<typeof aCompany>>;

async function aCompany() {
  const owner = await aSignedInUser(gatehouse);
  const mate = await aSignedInUser(gatehouse);
  const other = await aSignedInUser(gatehouse);
  const made = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, members: [mate.user, other.user] },
  );
  const { organization, members } = made;
  return { owner, mate, other, organization, mateId: members[1]?.id ?? "" };
}

const roleIs = (role: string, user: { id: string }) =>
  `EXISTS (SELECT 1 FROM member WHERE user_id = '${user.id}' AND role = '${role}')`;
const isOutside = (user: { id: string }) => [
  `NOT EXISTS (SELECT 1 FROM member WHERE user_id = '${user.id}')`,
];
const CHANGES: Record<string, OrganizationChange<Company>> = {
  "a change of role": {
    form: ({ mateId: member }) => ({
      page: "members",
      fields: { intent: "set-role", member, role: "admin" },
    }),
    action: "member.role_changed",
    after: ({ mate }) => [roleIs("admin", mate.user)],
  },
  "the removal of a member": {
    form: ({ mateId: member }) => ({ page: "members", fields: { intent: "remove", member } }),
    action: "member.removed",
    after: ({ mate }) => isOutside(mate.user),
  },
  leaving: {
    form: ({ mate }) => ({ page: "settings", fields: { intent: "leave" }, by: mate.browser }),
    action: "member.left",
    after: ({ mate }) => isOutside(mate.user),
  },
  "an offer of ownership": {
    form: ({ mateId: member }) => ({ page: "members", fields: { intent: "transfer", member } }),
    action: "invitation.sent",
    after: ({ mate, mateId }) => [
      `EXISTS (SELECT 1 FROM invitation WHERE member_id = '${mateId}' AND status = 'pending')`,
      `EXISTS (SELECT 1 FROM mail_outbox WHERE recipient = '${mate.user.email}' AND kind = 'ownership-offered')`,
    ],
  },
};

testChanges(gatehouse, CHANGES, aCompany);
