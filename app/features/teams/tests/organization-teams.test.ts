import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import {
  accessibleError,
  alertsOf,
  type Browser,
  locationOf,
} from "../../../../tests/support/client.ts";
import { readPage, textOf } from "../../../../tests/support/page.ts";
import { aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { anOrganizationWithTeams, aTeam } from "./teams.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

async function aCompany() {
  const owner = await aSignedInUser(gatehouse, { name: "Olga Owner" });
  const member = await aSignedInUser(gatehouse, { name: "Mia Member" });
  const { organization, team } = await anOrganizationWithTeams(
    gatehouse,
    {},
    { owner: owner.user, members: [member.user] },
  );
  const path = `/app/organizations/${organization.slug}`;
  return { owner, member, organization, team, teams: `${path}/teams` };
}

async function textOn(browser: Browser, path: string): Promise<string> {
  return readPage(await (await browser.get(path)).text()).text();
}

async function teamsOf(organizationId: string) {
  const { results } = await gatehouse.d1
    .prepare("SELECT name, member_count FROM team WHERE organization_id = ? ORDER BY name")
    .bind(organizationId)
    .all<{ name: string; member_count: number }>();
  return results.map(({ name, member_count }) => `${name} ${member_count}`);
}

test("a team is created, renamed, filled, emptied and deleted", async () => {
  const { owner, member, organization, teams } = await aCompany();
  const submit = (path: string, fields: Record<string, string>) =>
    owner.browser.submit(path, fields);

  const created =
    locationOf(await submit(teams, { intent: "create", name: "  東  Design " })) ?? "";
  expect(created).toMatch(new RegExp(`^${teams}/[\\w-]{36}$`));
  expect(locationOf(await submit(created, { intent: "rename", name: "تصميم" }))).toBe(created);
  const who = { user: member.user.id };
  expect(locationOf(await submit(created, { intent: "add", ...who }))).toBe(created);
  expect(await teamsOf(organization.id)).toContain("تصميم 1");
  expect(await textOn(member.browser, teams)).toContain("تصميم 1 member Your team");
  const unchosen = await submit(created, { intent: "add", user: "" });
  expect(unchosen.status).toBe(400);
  expect(accessibleError(await unchosen.text(), "user")).toBe(
    t("organizations:teams.chooseRequired"),
  );
  // Adding twice changes nothing.
  expect((await submit(created, { intent: "add", ...who })).status).toBe(302);
  expect(await teamsOf(organization.id)).toContain("تصميم 1");
  expect(locationOf(await submit(created, { intent: "remove", removed: member.user.id }))).toBe(
    created,
  );
  expect(await teamsOf(organization.id)).toContain("تصميم 0");
  expect(locationOf(await submit(created, { intent: "delete" }))).toBe(teams);

  expect(await teamsOf(organization.id)).toEqual([`${organization.name} 1`]);
  expect((await owner.browser.get(created)).status).toBe(404);
  const events = await auditOf(gatehouse, organization.id);
  const id = created.slice(teams.length + 1);
  // Other systems are told of teams by their ids, because names change.
  expect(events.map(({ details }) => details.ids)).toEqual(events.map(() => ({ team: id })));
  expect(events.map(({ action }) => action).sort()).toEqual([
    "team.created",
    "team.deleted",
    "team.member_added",
    "team.member_removed",
    "team.renamed",
  ]);
});

test.each([
  ["Acme", "codes:TEAM_ALREADY_EXISTS", 409],
  ["", "validation:name.required", 400],
  ["\u0000", "validation:name.invalid", 400],
  ["x".repeat(101), "validation:tooLong", 400],
])("the team name %j is refused at its field, and stays", async (name, key, status) => {
  const { owner, organization, team, teams } = await aCompany();
  await gatehouse.d1.prepare("UPDATE team SET name = 'Acme' WHERE id = ?").bind(team.id).run();
  const other = await aTeam(gatehouse, { organization_id: organization.id, name: "Other" });

  for (const [path, intent] of [
    [teams, "create"],
    [`${teams}/${other.id}`, "rename"],
  ] as const) {
    const response = await owner.browser.submit(path, { intent, name });
    expect(response.status).toBe(status);
    const page = await response.text();
    expect(accessibleError(page, "name")).toBe(t(key, { maximum: "100" }));
    if (name && name !== "\u0000") expect(readPage(page).field("name")?.value).toBe(name);
  }
});

test("an organization can have no team, and at most twenty", async () => {
  const { owner, organization, team, teams } = await aCompany();

  const last = await owner.browser.submit(`${teams}/${team.id}`, { intent: "delete" });
  expect(locationOf(last)).toBe(teams);

  for (let count = 0; count < 20; count++) {
    await aTeam(gatehouse, { organization_id: organization.id });
  }
  const full = await owner.browser.submit(teams, { intent: "create", name: "Too many" });
  expect(full.status).toBe(409);
  expect(accessibleError(await full.text(), "name")).toBe(
    t("codes:YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS"),
  );
});

test("members see teams and who is in them, and change none", async () => {
  const { owner, member, organization, team, teams } = await aCompany();
  const path = `${teams}/${team.id}`;
  expect(await textOn(member.browser, path)).toContain("Olga Owner");
  const page = readPage(await (await member.browser.get(path)).text());
  expect(page.findAll("button", t("organizations:teams.remove"))).toEqual([]);
  expect(page.field("name")).toBeUndefined();
  // The team's name is the only title, below links to the screens above it.
  const [title, ...others] = page.findAll("heading").map(textOf);
  expect([title, others]).toEqual([team.name, []]);
  const above = page.linkTo(organization.name) ?? "";
  expect([above, page.linkTo("Teams")]).toEqual([teams.replace("/teams", ""), teams]);
  expect(page.linkTo("Members")).toBeUndefined();

  const codes = await Promise.all(
    [
      [teams, { intent: "create", name: "Mine" }],
      [path, { intent: "rename", name: "Mine" }],
      [path, { intent: "delete" }],
      [path, { intent: "add", user: member.user.id }],
      [path, { intent: "remove", removed: owner.user.id }],
    ].map(async ([url, fields]) => {
      const response = await member.browser.submit(String(url), fields as Record<string, string>);
      return response.status;
    }),
  );
  expect(codes).toEqual([403, 403, 403, 403, 403]);
  expect(await teamsOf(organization.id)).toEqual([`${organization.name} 1`]);
});

test.each([
  [{}, 400, "validation:form.incomplete"],
  [{ intent: "burn" }, 400, "validation:form.incomplete"],
  [{ intent: "remove" }, 400, "validation:form.incomplete"],
  [{ intent: "remove", removed: "nobody" }, 409, "codes:USER_IS_NOT_A_MEMBER_OF_THE_TEAM"],
  [{ intent: "add", user: "nobody" }, 409, "codes:USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  [{ intent: "add", user: "FOREIGN" }, 409, "codes:USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
  [{ intent: "add", user: "x".repeat(65) }, 400, "organizations:teams.chooseRequired"],
] as const)("the change %j of a team is refused with a message", async (fields, status, key) => {
  const { owner, organization, team, teams } = await aCompany();
  const foreign = (await aUser(gatehouse)).id;
  const typed = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value === "FOREIGN" ? foreign : value]),
  );

  const response = await owner.browser.submit(`${teams}/${team.id}`, typed);

  expect([response.status, alertsOf(await response.text())]).toEqual([status, [t(key)]]);
  expect(await teamsOf(organization.id)).toEqual([`${organization.name} 1`]);
});

test("everyone reads each one's role in the team and since when, and a member who manages it", async () => {
  const { owner, member, organization, team, teams } = await aCompany();
  const path = `${teams}/${team.id}`;
  const sentence = t("organizations:teams.managedBy", { organization: organization.name });

  const page = await (await member.browser.get(path)).text();
  const text = readPage(page).text();
  const standing = `${t("organizations:roles.owner")} Joined today`;
  expect(text).toContain(standing);
  expect(text.replace(`${organization.name} `, organization.name)).toContain(sentence);
  expect(page).toContain(`href="${teams.replace("/teams", "/members")}"`);
  const forOwner = await textOn(owner.browser, path);
  expect(forOwner).toContain(standing);
  const [aboveForm] = forOwner.split(t("organizations:teams.add"));
  expect(aboveForm).not.toContain(standing);
  expect(forOwner).not.toContain("manage this team");
});

test("a team of another organization cannot be reached through one's own", async () => {
  const { owner, member, teams } = await aCompany();
  const foreign = await aCompany();
  const path = `${teams}/${foreign.team.id}`;

  expect((await owner.browser.get(path)).status).toBe(404);
  for (const fields of [
    { intent: "rename", name: "Taken over" },
    { intent: "delete" },
    { intent: "add", user: member.user.id },
    { intent: "remove", removed: foreign.owner.user.id },
  ] as Record<string, string>[]) {
    expect((await owner.browser.submit(path, fields)).status).toBe(404);
  }
  expect(await teamsOf(foreign.organization.id)).toEqual([`${foreign.organization.name} 1`]);
});
