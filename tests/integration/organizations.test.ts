import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  alertsOf,
  type Browser,
  locationOf,
  newBrowser,
} from "../support/client.ts";
import { anOrganization, newSlug } from "../support/organizations.ts";
import { readPage, textOf } from "../support/page.ts";
import { aSignedInUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const LIST = "/app/organizations";
const NEW = "/app/organizations/new";

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
    .prepare("SELECT id, name, slug, version, member_count FROM organization WHERE slug = ?")
    .bind(slug)
    .first<{ id: string; name: string; slug: string; version: number; member_count: number }>();
}

async function proposalFor(browser: Browser, payload: object) {
  const search = new URLSearchParams({ payload: JSON.stringify(payload) });
  const response = await browser.get(`/_server/organization-slug?${search}`);
  expect(response.status).toBe(200);
  return JSON.parse(await response.text()).result as {
    slug: string;
    isFree: boolean;
    error?: string;
  };
}

test("a user without an organization is told so, and creates the first one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const empty = readPage(await (await browser.get(LIST)).text());
  expect(empty.text()).toContain(t("organizations:empty"));
  expect(empty.linkTo(t("organizations:new"))).toBe(NEW);

  const slug = newSlug("first");
  const response = await create(browser, { name: "  Zeit   und Ort ", slug });

  expect(locationOf(response)).toBe(pathOf(slug));
  const page = readPage(await (await browser.follow(response)).text());
  expect(textOf(page.find("heading"))).toBe("Zeit und Ort");
  expect(textOf(page.noscript())).toBe("");
  const row = await findBySlug(slug);
  expect(row).toMatchObject({ name: "Zeit und Ort", version: 1, member_count: 1 });
  const [event, ...others] = await auditOf(gatehouse, row?.id ?? "");
  expect(others).toEqual([]);
  expect(event).toEqual({
    action: "organization.created",
    actorId: user.id,
    details: { after: { name: "Zeit und Ort", slug } },
  });
  const list = await (await browser.get(LIST)).text();
  expect(readPage(list).linkTo(/Zeit und Ort/)).toBe(pathOf(slug));
});

test("the list names the day on which an organization will be deleted", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  await anOrganization(
    gatehouse,
    { name: "Nyumbani", deletion_due_at: Date.UTC(2099, 11, 2) },
    { owner: user },
  );
  const page = readPage(await (await browser.get(LIST)).text());

  expect(page.linkTo(/^Nyumbani Will be deleted on 2 Dec 1 member/)).toBeDefined();
});

test("a new organization has its owner, and is the active one", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const slug = newSlug("active");
  await create(browser, { name: "Active", slug });

  const found = await gatehouse.d1
    .prepare(
      `SELECT session.active_organization_id = organization.id AS is_active,
              user.last_organization_id = organization.id AS is_last, member.role
       FROM organization JOIN member ON member.organization_id = organization.id
       JOIN user ON user.id = member.user_id JOIN session ON session.user_id = user.id
       WHERE organization.slug = ? AND user.id = ?`,
    )
    .bind(slug, user.id)
    .all();

  expect(found.results).toEqual([{ is_active: 1, is_last: 1, role: "owner" }]);
});

test.each([
  ["Müller & Söhne", /^mueller-and-soehne$/],
  ["مؤسسة النور", /^[a-z\d]+(-[a-z\d]+)+$/],
  ["东方书店", /^org-[a-z\d]{6}$/],
  ["🌍", /^org-[a-z\d]{6}$/],
  ["Settings", /^org-[a-z\d]{6}$/],
])("an organization named %s without a short name gets one", async (name, slug) => {
  const { browser } = await aSignedInUser(gatehouse);

  const path = locationOf(await create(browser, { name })) ?? "";

  expect(path.slice(LIST.length + 1)).toMatch(slug);
  const page = readPage(await (await browser.get(path)).text());
  expect(page.title()).toContain(name);
  const proposed = await proposalFor(browser, { name });
  expect(proposed.isFree).toBe(true);
  expect(proposed.slug).not.toBe(path.slice(LIST.length + 1));
});

test("a taken short name is answered with another one, and the next try succeeds", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse);

  const response = await create(browser, { name: "Acme Labs", slug: organization.slug });

  expect(response.status).toBe(400);
  const page = await response.text();
  const { slug: taken } = organization;
  expect(accessibleError(page, "slug")).toBe(t("organizations:slugReplaced", { slug: taken }));
  expect(readPage(page).field("name")?.value).toBe("Acme Labs");
  const slug = readPage(page).field("slug")?.value ?? "";
  expect(slug).toMatch(new RegExp(`^${taken}-[a-z\\d]{4}$`));
  expect(locationOf(await create(browser, { name: "Acme Labs", slug }))).toBe(pathOf(slug));
});

test("organizations may have equal names, but not equal short names", async () => {
  const { browser } = await aSignedInUser(gatehouse);
  const name = `Twins ${newSlug()}`;

  const first = locationOf(await create(browser, { name }));
  const second = await (await create(browser, { name })).text();
  const slug = readPage(second).field("slug")?.value ?? "";

  expect(pathOf(slug)).not.toBe(first);
  expect(locationOf(await create(browser, { name, slug }))).toBe(pathOf(slug));
});

const LONG = "x".repeat(101);
test.each([
  [{ name: "", slug: "zeit" }, "name", "validation:name.required", {}],
  [{ name: " \u202e ", slug: "zeit" }, "name", "validation:name.invalid", {}],
  [{ name: LONG, slug: "zeit" }, "name", "validation:tooLong", { maximum: "100" }],
  [{ name: "Zeit", slug: "new" }, "slug", "validation:slug.reserved", {}],
  [{ name: "Zeit", slug: "SETTINGS" }, "slug", "validation:slug.reserved", {}],
  [{ name: "Zeit", slug: "ab" }, "slug", "validation:slug.short", { min: "3" }],
  [{ name: "Zeit", slug: "a--b" }, "slug", "validation:slug.invalid", {}],
  [{ name: "Zeit", slug: "../up" }, "slug", "validation:slug.invalid", {}],
  [{ name: "Zeit", slug: "مؤسسة" }, "slug", "validation:slug.invalid", {}],
  [{ name: "Zeit", slug: "x".repeat(49) }, "slug", "validation:tooLong", { maximum: "48" }],
] as const)("the new organization %j is refused at its field", async (fields, at, key, values) => {
  const { browser } = await aSignedInUser(gatehouse);

  const response = await create(browser, fields);

  expect(response.status).toBe(400);
  const page = await response.text();
  expect(accessibleError(page, at)).toBe(t(key, values));
  expect(readPage(page).field("name")?.value).toBe(fields.name);
  expect(readPage(page).field("slug")?.value).toBe(fields.slug);
});

test("the form tells whether a typed short name can be used", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  const { organization } = await anOrganization(gatehouse, {}, { owner: user });
  const { slug, id } = organization;
  const ask = (typed: string, exceptId?: string) =>
    proposalFor(browser, { slug: typed, exceptId, name: "Zeit" });

  expect(await ask("free-name")).toEqual({ slug: "free-name", isFree: true });
  expect(await ask(` ${slug.toUpperCase()} `)).toEqual({
    slug,
    isFree: false,
    error: "organizations:slugTaken",
  });
  expect(await ask(slug, id)).toEqual({ slug, isFree: true });
  expect(await ask("settings")).toMatchObject({ isFree: false, error: "validation:slug.reserved" });
  expect(await ask("a b")).toMatchObject({ isFree: false, error: "validation:slug.invalid" });
  expect(await ask("ab")).toMatchObject({ isFree: false, error: "validation:slug.short?min=3" });
  for (const payload of [null, 7, { slug: 7 }, { slug: "x".repeat(300) }, { name: {} }]) {
    const search = new URLSearchParams({ payload: JSON.stringify(payload) });
    expect((await browser.get(`/_server/organization-slug?${search}`)).status).toBe(400);
  }
  const anonymous = await newBrowser(gatehouse).get("/_server/organization-slug?payload=%7B%7D");
  expect(anonymous.status).toBe(401);
});

test("an eleventh organization is refused, and its short name stays free", async () => {
  const { user, browser } = await aSignedInUser(gatehouse);
  for (let count = 0; count < 10; count++) await anOrganization(gatehouse, {}, { owner: user });
  const slug = newSlug("eleventh");

  const response = await create(browser, { name: "Eleventh", slug });

  expect(response.status).toBe(409);
  const page = await response.text();
  const code = "codes:YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS";
  expect(alertsOf(page)).toContain(t(code));
  expect(readPage(page).field("slug")?.value).toBe(slug);
  expect(await findBySlug(slug)).toBeNull();
});
