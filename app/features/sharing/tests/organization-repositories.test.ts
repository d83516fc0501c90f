import { afterAll, expect, test } from "vitest";
import { auditOf } from "../../../../tests/support/audit.ts";
import { alertsOf, type Browser, locationOf } from "../../../../tests/support/client.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { aSignedInUser } from "../../../../tests/support/people.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { aRepository, manyRepositories, newName } from "../../repositories/tests/repositories.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

async function aCompany() {
  const owner = await aSignedInUser(gatehouse, { name: "Olga Owner" });
  const member = await aSignedInUser(gatehouse, { name: "Mia Member" });
  const { organization } = await anOrganization(
    gatehouse,
    {},
    { owner: owner.user, members: [member.user] },
  );
  const repositories = `/app/organizations/${organization.slug}/repositories`;
  return { owner, member, organization, repositories };
}

async function textOn(browser: Browser, path: string): Promise<string> {
  return readPage(await (await browser.get(path)).text()).text();
}

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
    intent: "share",
    repository: `${id}x`,
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
    { repository: name, ids: { repository: id } },
    { repository: name, ids: { repository: id } },
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
