import { afterAll, expect, test } from "vitest";
import { aRepository } from "../../app/features/repositories/tests/repositories.ts";
import { auditOf } from "../support/audit.ts";
import type { Browser } from "../support/client.ts";
import { faultsUpTo } from "../support/faults.ts";
import { anOrganization, inTeam } from "../support/organizations.ts";
import { aSignedInUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const gatehouse = await startGatehouse();
gatehouse.tolerateErrors();
const { d1 } = gatehouse;
afterAll(() => gatehouse[Symbol.asyncDispose]());

type Company = Awaited<ReturnType<typeof aCompany>>;

type Change = {
  /** The form: its page and its fields. */
  form: (company: Company) => { page: string; fields: Record<string, string>; by?: Browser };
  action: string;
  /** SQL conditions that hold all together after the change, and none of them before. */
  after: (company: Company) => string[];
};

async function aCompany() {
  const owner = await aSignedInUser(gatehouse);
  const mate = await aSignedInUser(gatehouse);
  const other = await aSignedInUser(gatehouse);
  const made = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, members: [mate.user, other.user], teams: ["Design"] },
  );
  const [shared, unshared] = [await aRepository(gatehouse), await aRepository(gatehouse)];
  const [design] = made.teams;
  await inTeam(gatehouse, design?.id ?? "", mate.user.id);
  await d1
    .prepare("INSERT INTO organization_repository VALUES (?, ?, ?, 1)")
    .bind(made.organization.id, shared.id, owner.user.id)
    .run();
  return {
    ...{ owner, mate, other, shared, unshared },
    organization: made.organization,
    design: design?.id ?? "",
    mateId: made.members[1]?.id ?? "",
  };
}

const roleIs = (role: string, user: { id: string }) =>
  `EXISTS (SELECT 1 FROM member WHERE user_id = '${user.id}' AND role = '${role}')`;
const isOutside = (user: { id: string }) => [
  `NOT EXISTS (SELECT 1 FROM member WHERE user_id = '${user.id}')`,
  `NOT EXISTS (SELECT 1 FROM team_member WHERE user_id = '${user.id}')`,
];
const isInDesign = ({ design }: Company, user: { id: string }) =>
  `EXISTS (SELECT 1 FROM team_member WHERE team_id = '${design}' AND user_id = '${user.id}')`;
const hasTeam = ({ organization }: Company, name: string) =>
  `EXISTS (SELECT 1 FROM team WHERE organization_id = '${organization.id}' AND name = '${name}')`;
const hasRepository = ({ organization }: Company, { id }: { id: string }) =>
  `EXISTS (SELECT 1 FROM organization_repository WHERE organization_id = '${organization.id}' AND repository_id = '${id}')`;

const CHANGES: Record<string, Change> = {
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
  "the creation of a team": {
    form: () => ({ page: "teams", fields: { intent: "create", name: "Sales" } }),
    action: "team.created",
    after: (company) => [hasTeam(company, "Sales")],
  },
  "the renaming of a team": {
    form: ({ design }) => ({
      ...{ page: `teams/${design}`, fields: { intent: "rename", name: "Sales" } },
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
      ...{ page: `teams/${design}`, fields: { intent: "add", user: other.user.id } },
    }),
    action: "team.member_added",
    after: (company) => [
      isInDesign(company, company.other.user),
      `(SELECT member_count = 2 FROM team WHERE id = '${company.design}')`,
    ],
  },
  "the removal of a team member": {
    form: ({ design, mate }) => ({
      ...{ page: `teams/${design}`, fields: { intent: "remove", removed: mate.user.id } },
    }),
    action: "team.member_removed",
    after: (company) => [
      `NOT ${isInDesign(company, company.mate.user)}`,
      `(SELECT member_count = 0 FROM team WHERE id = '${company.design}')`,
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

/** Returns for each SQL condition whether it holds. */
async function readAll(conditions: string[]): Promise<boolean[]> {
  const row = await d1
    .prepare(`SELECT ${conditions.map((condition, at) => `${condition} AS c${at}`).join(", ")}`)
    .first<Record<string, number>>();
  return conditions.map((_, at) => row?.[`c${at}`] === 1);
}

for (const [index, [name, change]] of Object.entries(CHANGES).entries()) {
  const { form, action, after } = change;
  const faults = faultsUpTo(4, index);

  test.each(faults)(`${name} is whole or not made, with a fault at call %s`, async (fault) => {
    const company = await aCompany();
    const { page, fields, by = company.owner.browser } = form(company);
    const path = `/app/organizations/${company.organization.slug}/${page}`;
    const conditions = after(company);
    const events = async () =>
      (await auditOf(gatehouse, company.organization.id)).map((event) => event.action);
    expect(await readAll(conditions)).toEqual(conditions.map(() => false));

    const first = await by.submit(path, fields, { headers: { "x-d1-fault": fault } });

    const isMade = (await readAll(conditions))[0] ?? false;
    expect(await readAll(conditions)).toEqual(conditions.map(() => isMade));
    expect(await events()).toEqual(isMade ? [action] : []);
    if (first.status === 302) expect(isMade).toBe(true);
    else expect(first.status).toBeGreaterThanOrEqual(500);

    // Sent again, the form makes the change once, or tells that it is made.
    const again = await by.submit(path, fields);
    expect(again.status).toBeLessThan(500);
    expect(await readAll(conditions)).toEqual(conditions.map(() => true));
    expect(await events()).toEqual([action]);
  });
}
