import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import {
  accessibleError,
  alertsOf,
  type Browser,
  locationOf,
} from "../../../../tests/support/client.ts";
import { anOrganization, aTeam } from "../../../../tests/support/organizations.ts";
import { readPage, textOf } from "../../../../tests/support/page.ts";
import { aSignedInUser, aUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, manyRepositories, newName } from "../../repositories/tests/repositories.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

async function aCompany() {
  const owner = await aSignedInUser(gatehouse, { name: "Olga Owner" });
  const member = await aSignedInUser(gatehouse, { name: "Mia Member" });
  const { organization, team } = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, members: [member.user] },
  );
  const path = `/app/organizations/${organization.slug}`;
  const [teams, repositories] = [`${path}/teams`, `${path}/repositories`];
  return { owner, member, organization, team, teams, repositories };
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
  expect((await auditOf(gatehouse, organization.id)).map(({ action }) => action).sort()).toEqual([
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

test("an organization keeps its last team and has at most twenty", async () => {
  const { owner, organization, team, teams } = await aCompany();

  const last = await owner.browser.submit(`${teams}/${team.id}`, { intent: "delete" });
  expect(last.status).toBe(409);
  expect(alertsOf(await last.text())).toEqual([t("codes:UNABLE_TO_REMOVE_LAST_TEAM")]);

  for (let count = 1; count < 20; count++) {
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

test("the drawer lists the first repositories by name until a term is typed", async () => {
  const { owner, member, repositories } = await aCompany();
  const { id, name } = await aRepository(gatehouse, { name: newName("Aardvark") });
  const shareable = (path: string, browser = owner.browser) =>
    textOn(browser, path).then((text) => text.includes(name));

  expect(await shareable(repositories)).toBe(false);
  expect(await shareable(`${repositories}?share`)).toBe(true);
  expect(await shareable(`${repositories}?share=nothing+like+this`)).toBe(false);
  expect(await shareable(`${repositories}?share`, member.browser)).toBe(false);
  const gone = await owner.browser.submit(`${repositories}?share`, {
    ...{ intent: "share", repository: `${id}x` },
  });
  expect(readPage(await gone.text()).text()).toContain(t("codes:REPOSITORY_NOT_FOUND"));
});

test("the drawer says when more repositories match than it shows", async () => {
  const { owner, repositories } = await aCompany();
  const books = ["G", "B", "F", "A", "E", "C"].map((letter) => ({ name: `Ledger ${letter}` }));
  await manyRepositories(gatehouse, books);
  const search = `${repositories}?share=ledger`;
  const more = t("organizations:repositories.foundMore", { shown: 6 });
  expect(await textOn(owner.browser, search)).not.toContain(more);

  await aRepository(gatehouse, { name: "Ledger D" });

  const text = await textOn(owner.browser, search);
  expect(text).toContain(more);
  expect(text.match(/Ledger [A-Z]/g)?.join("")).toBe(
    ["A", "B", "C", "D", "E", "F"].map((letter) => `Ledger ${letter}`).join(""),
  );
});

test("a repository is found, shared, seen by members, and no longer shared", async () => {
  const { owner, member, organization, repositories } = await aCompany();
  const { id, name } = await aRepository(gatehouse, { name: newName("Zeitgeist") });
  const search = `${repositories}?share=zeitgeist`;
  const found = readPage(await (await owner.browser.get(search)).text());
  expect(
    found.find("button", t("organizations:repositories.shareButton"))?.getAttribute("value"),
  ).toBe(id);

  const shared = await owner.browser.submit(search, { intent: "share", repository: id });

  expect(locationOf(shared)).toBe(search);
  const after = readPage(await (await owner.browser.get(search)).text());
  expect(after.find("button", t("organizations:repositories.shareButton"))).toBeUndefined();
  expect(after.text()).toContain(
    t("organizations:repositories.nothing", { searchTerm: "zeitgeist" }),
  );
  const seen = readPage(await (await member.browser.get(repositories)).text());
  expect(seen.linkTo(name)).toBe(`/app/repositories/${id}`);
  // Its own screen leads members back, and does not tell others that the organization uses it.
  const detail = `/app/repositories/${id}`;
  const forMember = readPage(await (await member.browser.get(detail)).text());
  expect(forMember.linkTo(organization.name)).toBe(repositories.replace("/repositories", ""));
  const { browser: stranger } = await aSignedInUser(gatehouse);
  expect(await textOn(stranger, detail)).not.toContain(organization.name);
  // Sharing again changes nothing.
  await owner.browser.submit(repositories, { intent: "share", repository: id });
  const fields = { intent: "unshare", repository: id };
  expect(locationOf(await owner.browser.submit(repositories, fields))).toBe(repositories);
  expect(await textOn(member.browser, repositories)).not.toContain(name);
  const again = await owner.browser.submit(repositories, fields);
  expect([again.status, alertsOf(await again.text())]).toEqual([
    409,
    [t("codes:REPOSITORY_NOT_FOUND")],
  ]);
  expect((await auditOf(gatehouse, organization.id)).map(({ details }) => details)).toEqual([
    { repository: name },
    { repository: name },
  ]);
});

test("only owners and admins search and share, and unknown repositories are refused", async () => {
  const { owner, member, repositories } = await aCompany();
  const { id } = await aRepository(gatehouse, { name: newName("Secretly") });

  expect(await textOn(member.browser, `${repositories}?share=secretly`)).not.toContain("Secretly");
  const data = await (await member.browser.get(`${repositories}.data?share=secretly`)).text();
  expect(data).not.toContain(id);
  const refused = await member.browser.submit(repositories, { intent: "share", repository: id });
  expect([refused.status, alertsOf(await refused.text())]).toEqual([
    403,
    [t("codes:YOU_ARE_NOT_ALLOWED_TO_SHARE_REPOSITORIES")],
  ]);

  for (const [fields, status, key] of [
    [{ intent: "share", repository: "nothing" }, 409, "codes:REPOSITORY_NOT_FOUND"],
    [{ intent: "share" }, 400, "validation:form.incomplete"],
    [{ intent: "give", repository: id }, 400, "validation:form.incomplete"],
  ] as const) {
    const response = await owner.browser.submit(repositories, fields);
    expect([response.status, alertsOf(await response.text())]).toEqual([status, [t(key)]]);
  }
  const long = await owner.browser.get(`${repositories}?share=${"%F0%9F%8C%8D".repeat(300)}`);
  expect(long.status).toBe(200);
});
