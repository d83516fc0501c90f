import { afterAll, expect } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { clientTest } from "../../../../tests/support/endpoints.ts";
import { faultsUpTo } from "../../../../tests/support/faults.ts";
import {
  type OrganizationChange,
  testChanges,
} from "../../../../tests/support/organization-changes.ts";
import {
  aClient,
  organizationClientFor,
  refusalOf,
} from "../../../../tests/support/organization-client.ts";
import { anInvitation } from "../../../../tests/support/organizations.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anOrganizationWithTeams, inTeam } from "./teams.ts";

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
const { d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

type Company = Awaited<ReturnType<typeof aCompany>>;

async function aCompany() {
  const owner = await aSignedInUser(gatehouse);
  const mate = await aSignedInUser(gatehouse);
  const other = await aSignedInUser(gatehouse);
  const { organization, members, teams } = await anOrganizationWithTeams(
    gatehouse,
    {},
    { owner: owner.user, members: [mate.user, other.user], teams: ["Design"] },
  );
  const design = teams[0]?.id ?? "";
  await inTeam(gatehouse, design, mate.user.id);
  return { owner, mate, other, organization, design, mateId: members[1]?.id ?? "" };
}

const isInDesign = ({ design }: Company, user: { id: string }) =>
  `EXISTS (SELECT 1 FROM team_member WHERE team_id = '${design}' AND user_id = '${user.id}')`;
const hasTeam = ({ organization }: Company, name: string) =>
  `EXISTS (SELECT 1 FROM team WHERE organization_id = '${organization.id}' AND name = '${name}')`;
const isOutside = (user: { id: string }) => [
  `NOT EXISTS (SELECT 1 FROM member WHERE user_id = '${user.id}')`,
  `NOT EXISTS (SELECT 1 FROM team_member WHERE user_id = '${user.id}')`,
];

const CHANGES: Record<string, OrganizationChange<Company>> = {
  "the removal of a member of a team": {
    form: ({ mateId: member }) => ({ page: "members", fields: { intent: "remove", member } }),
    action: "member.removed",
    after: ({ mate }) => isOutside(mate.user),
  },
  "leaving an organization and its teams": {
    form: ({ mate }) => ({ page: "settings", fields: { intent: "leave" }, by: mate.browser }),
    action: "member.left",
    after: ({ mate }) => isOutside(mate.user),
  },
  "the creation of a team": {
    form: () => ({ page: "teams", fields: { intent: "create", name: "Sales" } }),
    action: "team.created",
    after: (company) => [hasTeam(company, "Sales")],
  },
  "the renaming of a team": {
    form: ({ design }) => ({
      page: `teams/${design}`,
      fields: { intent: "rename", name: "Sales" },
    }),
    action: "team.renamed",
    after: (company) => [hasTeam(company, "Sales"), `NOT ${hasTeam(company, "Design")}`],
  },
  "the deletion of a team": {
    form: ({ design }) => ({ page: `teams/${design}`, fields: { intent: "delete" } }),
    action: "team.deleted",
    after: (company) => [
      `NOT ${hasTeam(company, "Design")}`,
      `NOT ${isInDesign(company, company.mate.user)}`,
    ],
  },
  "the adding of a team member": {
    form: ({ design, other }) => ({
      page: `teams/${design}`,
      fields: { intent: "add", user: other.user.id },
    }),
    action: "team.member_added",
    after: (company) => [
      isInDesign(company, company.other.user),
      `(SELECT member_count = 2 FROM team WHERE id = '${company.design}')`,
    ],
  },
  "the removal of a team member": {
    form: ({ design, mate }) => ({
      page: `teams/${design}`,
      fields: { intent: "remove", removed: mate.user.id },
    }),
    action: "team.member_removed",
    after: (company) => [
      `NOT ${isInDesign(company, company.mate.user)}`,
      `(SELECT member_count = 0 FROM team WHERE id = '${company.design}')`,
    ],
  },
};

testChanges(gatehouse, CHANGES, aCompany);

async function count(sql: string, ...values: string[]): Promise<number | null> {
  return d1
    .prepare(`SELECT count(*) AS n FROM ${sql}`)
    .bind(...values)
    .first<number>("n");
}

clientTest.each(faultsUpTo(5))(
  "accept-invitation into a team writes all or nothing with a fault at call %s",
  async (fault) => {
    const { user, browser, client } = await aClient(gatehouse);
    const faulty = organizationClientFor(gatehouse, browser, { "x-d1-fault": fault });
    const { organization, ownerId, team } = await anOrganizationWithTeams(gatehouse);
    const { id: invitationId } = await anInvitation(gatehouse, {
      organization_id: organization.id,
      inviter_id: ownerId,
      team_id: team.id,
      email: user.email,
    });

    const first = await refusalOf(faulty.acceptInvitation({ invitationId }));
    const accepted = await count("invitation WHERE id = ? AND status = 'accepted'", invitationId);
    const events = (await auditOf(gatehouse, organization.id)).map(({ action }) => action);
    const whole = [
      await count("member WHERE user_id = ?", user.id),
      await count("team_member WHERE user_id = ?", user.id),
      await count("session WHERE user_id = ? AND active_team_id IS NOT NULL", user.id),
      events.filter((action) => action === "member.joined").length,
    ];
    expect(whole).toEqual(Array(4).fill(accepted));

    if (first !== "ok") {
      expect(first).toMatch(/^5\d\d /);
      const again = accepted === 1 ? "400 INVITATION_NOT_FOUND" : "ok";
      expect(await refusalOf(client.acceptInvitation({ invitationId }))).toBe(again);
    }
    expect(await count("team_member WHERE user_id = ?", user.id)).toBe(1);
  },
);
