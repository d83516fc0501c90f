import { afterAll, expect, test } from "vitest";
import {
  organizationStatements,
  roleMayDo,
} from "../../app/features/access/organization-permissions.ts";
import { ORGANIZATION_ROLES } from "../../app/features/access/role-names.ts";
import { auditOf } from "../support/audit.ts";
import { accessibleError, type Browser, locationOf } from "../support/client.ts";
import { anOrganization, newSlug } from "../support/organizations.ts";
import { findAll, readPage, textOf } from "../support/page.ts";
import { aSignedInUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const LIST = "/app/organizations";
const NEW = "/app/organizations/new";
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

function create(browser: Browser, fields: Record<string, string>): Promise<Response> {
  return browser.submit(NEW, { intent: "save", ...fields });
}

function pathOf(slug: string, part = ""): string {
  return `${LIST}/${slug}${part && `/${part}`}`;
}

async function findBySlug(slug: string) {
  return gatehouse.d1
    .prepare("SELECT id, name, slug, version FROM organization WHERE slug = ?")
    .bind(slug)
    .first<{ id: string; name: string; slug: string; version: number }>();
}

/** Saves name and slug on the settings screen, with the version that the screen shows. */
async function rename(browser: Browser, slug: string, fields: Record<string, string>) {
  const settings = await (await browser.get(pathOf(slug, "settings"))).text();
  const version = readPage(settings).field("version")?.value ?? "";
  return browser.submit(pathOf(slug, "settings"), { intent: "save", version, ...fields });
}

test("after a rename the old link leads members to the new one, with sub-page and search", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { browser: other } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const [old, slug] = [organization.slug, newSlug("renamed")];

  const response = await rename(browser, old, { name: "Renamed", slug });

  expect(locationOf(response)).toBe(pathOf(slug, "settings"));
  expect(await findBySlug(slug)).toMatchObject({ name: "Renamed", version: 2 });
  expect(locationOf(await browser.get(pathOf(old)))).toBe(pathOf(slug));
  expect(locationOf(await browser.get(`${pathOf(old, "members")}?role=owner&q=a+b`))).toBe(
    `${pathOf(slug, "members")}?role=owner&q=a+b`,
  );
  const data = await browser.get(`${pathOf(old, "members")}.data`);
  expect([data.status, await data.text()]).toEqual([
    202,
    expect.stringContaining(pathOf(slug, "members")),
  ]);
  expect((await other.get(pathOf(old))).status).toBe(404);
  const event = (await auditOf(gatehouse, organization.id)).at(-1);
  expect(event).toMatchObject({ action: "organization.updated", actorId: user.id });
  expect(event?.details.before).toMatchObject({ name: organization.name, slug: old });
});

test("nobody else can take an old short name for 30 days, and its organization can have it back", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { browser: other } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const { slug: old } = organization;
  const moved = newSlug("moved");
  await rename(browser, old, { name: "Moved", slug: moved });

  const refused = await create(other, { name: "Thief", slug: old });
  expect(accessibleError(await refused.text(), "slug")).toBe(
    t("organizations:slugReplaced", { slug: old }),
  );
  const payload = encodeURIComponent(JSON.stringify({ slug: old }));
  const asked = await other.get(`/_server/organization-slug?payload=${payload}`);
  expect(await asked.json()).toMatchObject({ result: { isFree: false } });

  expect(locationOf(await rename(browser, moved, { name: "Back", slug: old }))).toBe(
    pathOf(old, "settings"),
  );
  expect(locationOf(await browser.get(pathOf(moved)))).toBe(pathOf(old));

  await gatehouse.d1
    .prepare("UPDATE old_slug SET expires_at = expires_at - ? WHERE slug = ?")
    .bind(30 * DAY_MS, moved)
    .run();
  expect((await browser.get(pathOf(moved))).status).toBe(404);
  expect(locationOf(await create(other, { name: "Next", slug: moved }))).toBe(pathOf(moved));
});

test("a rename that is based on an older version is refused with both values, and may then overwrite", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const settings = pathOf(organization.slug, "settings");
  const { slug } = organization;
  await rename(browser, slug, { name: "First", slug });

  const fields = { intent: "save", version: "1", name: "Second", slug };
  const response = await browser.submit(settings, fields);

  expect(response.status).toBe(409);
  const page = readPage(await response.text());
  expect(page.alerts().join()).toContain(t("common:conflict.title"));
  expect(page.field("name")?.value).toBe("Second");
  expect(page.field("version")?.value).toBe("2");
  expect(await findBySlug(slug)).toMatchObject({ name: "First", version: 2 });

  await browser.submit(settings, { ...fields, version: "2" });
  expect(await findBySlug(slug)).toMatchObject({ name: "Second", version: 3 });
});

test("a rename to a taken or bad short name is refused at the field", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const { organization: other } = await anOrganization(gatehouse);

  const taken = await rename(browser, organization.slug, { name: "Taker", slug: other.slug });
  expect(taken.status).toBe(409);
  const page = await taken.text();
  expect(accessibleError(page, "slug")).toBe(t("codes:ORGANIZATION_SLUG_ALREADY_TAKEN"));
  expect(readPage(page).field("slug")?.value).toBe(other.slug);

  const empty = await rename(browser, organization.slug, { name: "", slug: "" });
  expect(empty.status).toBe(400);
  const form = await empty.text();
  expect(accessibleError(form, "name")).toBe(t("validation:name.required"));
  expect(accessibleError(form, "slug")).toBe(t("validation:slug.required"));
});

test("the settings show the access table cell by cell to every member", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { members: [user] });

  const page = readPage(await (await browser.get(pathOf(organization.slug, "settings"))).text());

  const rows = [...page.document.querySelectorAll("table tbody tr")].map((row) =>
    [...row.children].map((cell) => textOf(cell).replace("– ", "")),
  );
  expect(page.field("name")).toBeUndefined();
  const table = Object.entries(organizationStatements).flatMap(([resource, actions]) =>
    actions.map((action) =>
      ORGANIZATION_ROLES.map((role) => (roleMayDo(role, [resource, action]) ? "Yes" : "No")),
    ),
  );
  expect(rows.map(([, ...cells]) => cells)).toEqual(table);
  // A phone shows the names of the roles, a desktop the cells.
  expect(rows[1]?.[0]).toBe(
    `${t("organizations:permissions.organization.delete")} ${t("organizations:roles.owner")}`,
  );
  expect(findAll(page.document, "link", t("organizations:nav.invitations"))).toEqual([]);
});

test("a form that was opened before a rename acts on the organization", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { browser: other } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const [old, slug] = [organization.slug, newSlug("renamed")];
  await rename(browser, old, { name: "Renamed", slug });
  const invite = (name: string, by = browser) =>
    by.submit(pathOf(old, "invitations"), {
      intent: "invite",
      emails: `${name}@example.com`,
      role: "member",
    });
  const invited = async () => {
    const { results } = await gatehouse.d1
      .prepare("SELECT email FROM invitation WHERE organization_id = ?")
      .bind(organization.id)
      .all<{ email: string }>();
    return results.map(({ email }) => email);
  };

  const sent = await invite("late");
  expect(sent.status).toBeLessThan(400);
  expect(await invited()).toEqual(["late@example.com"]);

  // What was typed is shown again with the other change, also under the old slug.
  const conflict = await browser.submit(`${pathOf(old, "settings")}.data`, {
    intent: "save",
    version: "1",
    name: "Typed",
    slug: old,
  });
  expect([conflict.status, await conflict.text()]).toEqual([
    409,
    expect.stringContaining("Renamed"),
  ]);

  const foreign = await invite("spies", other);
  const unknown = await other.submit(pathOf("nothing-has-this", "invitations"), {
    intent: "invite",
    emails: "spies@example.com",
    role: "member",
  });
  expect([foreign.status, unknown.status]).toEqual([404, 404]);

  await gatehouse.d1.prepare("UPDATE old_slug SET expires_at = 1 WHERE slug = ?").bind(old).run();
  expect((await invite("too-late")).status).toBe(404);
  expect(await invited()).toEqual(["late@example.com"]);
});
