import { afterAll } from "vitest";
import { aRepository } from "../../app/features/repositories/tests/repositories.ts";
import { type OrganizationChange, testChanges } from "../support/organization-changes.ts";
import { anOrganization } from "../support/organizations.ts";
import { aSignedInUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
const { d1 } = gatehouse;
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
  const [shared, unshared] = [await aRepository(gatehouse), await aRepository(gatehouse)];
  await d1
    .prepare("INSERT INTO organization_repository VALUES (?, ?, ?, 1)")
    .bind(made.organization.id, shared.id, owner.user.id)
    .run();
  return {
    ...{ owner, mate, other, shared, unshared },
    organization: made.organization,
    mateId: made.members[1]?.id ?? "",
  };
}

const roleIs = (role: string, user: { id: string }) =>
  `EXISTS (SELECT 1 FROM member WHERE user_id = '${user.id}' AND role = '${role}')`;
const isOutside = (user: { id: string }) => [
  `NOT EXISTS (SELECT 1 FROM member WHERE user_id = '${user.id}')`,
];
const hasRepository = ({ organization }: Company, { id }: { id: string }) =>
  `EXISTS (SELECT 1 FROM organization_repository WHERE organization_id = '${organization.id}' AND repository_id = '${id}')`;

const CHANGES: Record<string, OrganizationChange<Company>> = {
  "a change of role": {
    form: ({ mateId: member }) => ({
      ...{ page: "members", fields: { intent: "set-role", member, role: "admin" } },
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
  "the sharing of a repository": {
    form: ({ unshared }) => ({
      ...{ page: "repositories", fields: { intent: "share", repository: unshared.id } },
    }),
    action: "organization.repository_shared",
    after: (company) => [hasRepository(company, company.unshared)],
  },
  "the end of a sharing": {
    form: ({ shared }) => ({
      ...{ page: "repositories", fields: { intent: "unshare", repository: shared.id } },
    }),
    action: "organization.repository_unshared",
    after: (company) => [`NOT ${hasRepository(company, company.shared)}`],
  },
};

testChanges(gatehouse, CHANGES, aCompany);
