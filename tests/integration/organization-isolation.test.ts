import { afterAll, expect, test } from "vitest";
import { type Browser, locationOf, newBrowser, readText } from "../support/client.ts";
import { FEATURE_TESTS, featureUrls, nameOf, withIds } from "../support/feature-tests.ts";
import { anOrganization } from "../support/organizations.ts";
import { anAdmin, aSignedInUser } from "../support/people.ts";
import { listUrls } from "../support/routes.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const UNKNOWN = "nothing-has-this";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const t = translationsIn("en");

const owner = await aSignedInUser(gatehouse, { name: "Zacharias Insider" });
const mate = await aSignedInUser(gatehouse, { name: "Quintus Insider" });
const stranger = await aSignedInUser(gatehouse);
const neighbour = await aSignedInUser(gatehouse);
await anOrganization(gatehouse, {}, { owner: neighbour.user });
const { organization, members, invitations } = await anOrganization(
  gatehouse,
  { name: "Hidden Works", slug: "hidden-works" },
  { owner: owner.user, members: [mate.user], invitations: [{}] },
);
const ids = await featureUrls(gatehouse, organization);

/** Every page of one organization, read from the build. */
const PAGES = listUrls().flatMap(({ pattern }) =>
  pattern.startsWith("/app/organizations/:slug") ? [pattern] : [],
);

/** The forms of these pages, by the last part of the page's URL. */
const FORMS: Record<string, Record<string, string>[]> = {
  members: [
    { intent: "set-role", member: members[1]?.id ?? "", role: "admin" },
    { intent: "remove", member: members[1]?.id ?? "" },
    { intent: "transfer", member: members[1]?.id ?? "" },
  ],
  invitations: [
    { intent: "invite", emails: "spy@example.com", role: "owner" },
    { intent: "resend", invitation: invitations[0]?.id ?? "" },
    { intent: "cancel", invitation: invitations[0]?.id ?? "" },
  ],
  settings: [
    { intent: "save", name: "Spies", slug: "spies", version: "1" },
    { intent: "leave" },
    { intent: "delete", typedName: "Hidden Works" },
    { intent: "restore" },
  ],
};

/** Forms of features that need no proof, such as the end of a key. */
const ENDINGS = FEATURE_TESTS.flatMap(({ acts = {}, leftBehind = {} }) =>
  Object.values(acts)
    .flat()
    .filter(([act]) => nameOf(act) in leftBehind && nameOf(act).startsWith("own:revoke"))
    .map(([, fields]) => fields),
);

/** The forms of a page. */
function formsOf(pattern: string): Record<string, string>[] {
  const ofFeatures = FEATURE_TESTS.flatMap(({ acts = {} }) => acts[pattern] ?? []);
  return [
    ...(FORMS[pattern.split("/").at(-1) ?? ""] ?? []),
    ...ofFeatures.map(([, fields]) => fields),
  ];
}

const ROLES = {
  "the owner of another organization": neighbour.browser,
  "a user without an organization": stranger.browser,
} satisfies Record<string, Browser>;

function pathOf(pattern: string, slug = "hidden-works"): string {
  const withKnown = slug === UNKNOWN ? pattern : withIds(pattern, ids);
  return withKnown.replace(":slug", slug).replace(/:\w+/, UNKNOWN);
}

/**
 * Returns what an answer tells: its status, and its text without the URL that was asked for and without the time for
 * which the reader's own proof is still valid.
 */
async function toldBy(response: Response, slug: string) {
  const body = await response.text();
  const known = slug === UNKNOWN ? [UNKNOWN] : Object.values(ids);
  const asked = known
    .reduce((text, id) => text.replaceAll(id, "ID"), body.replaceAll(slug, "SLUG"))
    .replace(/"proofMs",\d+/, '"proofMs"');
  return { status: response.status, text: readText(asked) };
}

/** Reads what the tests' forms could change. */
async function readAll() {
  const ofFeatures = FEATURE_TESTS.flatMap(({ tables: own = [] }) => own);
  const tables = ["organization", "member", "invitation"];
  return Promise.all(
    [...tables, ...ofFeatures, "audit_event", "mail_outbox"].map(async (table) => {
      const { results } = await gatehouse.d1.prepare(`SELECT * FROM ${table}`).all();
      return [table, results];
    }),
  );
}

test("the build has pages of an organization, and each form's page is one of them", () => {
  const parts = PAGES.map((pattern) => pattern.split("/").at(-1));

  expect(parts).toEqual(expect.arrayContaining([":slug", ...Object.keys(FORMS)]));
});

test.each(PAGES)("the owner opens %s", async (pattern) => {
  expect((await owner.browser.get(pathOf(pattern))).status).toBe(200);
});

for (const [role, browser] of Object.entries(ROLES)) {
  test.each(PAGES)(`%s is unknown to ${role}, as page and as data`, async (pattern) => {
    for (const suffix of ["", ".data", "?searchTerm=insider", ".data?share=hidden"]) {
      const foreign = await browser.get(pathOf(pattern).concat(suffix));
      const unknown = await browser.get(pathOf(pattern, UNKNOWN).concat(suffix));

      const told = await toldBy(foreign, "hidden-works");
      expect(told.status).toBe(404);
      expect(told).toEqual(await toldBy(unknown, UNKNOWN));
      expect(told.text).not.toMatch(/Hidden [A-Z]|Insider/);
    }
  });

  test(`no form of an organization does anything for ${role}`, async () => {
    const before = await readAll();
    for (const pattern of PAGES) {
      // A user may send so many changes a minute.
      await gatehouse.d1.prepare("DELETE FROM rate_limit").run();
      for (const fields of formsOf(pattern)) {
        for (const suffix of ["", ".data"]) {
          const foreign = await browser.submit(pathOf(pattern) + suffix, fields);
          const unknown = await browser.submit(pathOf(pattern, UNKNOWN) + suffix, fields);

          const told = await toldBy(foreign, "hidden-works");
          expect([pattern, fields, told.status]).toEqual([pattern, fields, 404]);
          expect(told).toEqual(await toldBy(unknown, UNKNOWN));
        }
      }
    }
    expect(await readAll()).toEqual(before);
  });
}

test.each(PAGES)(
  "%s redirects an anonymous visitor to the login, form posts too",
  async (pattern) => {
    const anonymous = newBrowser(gatehouse);
    for (const path of [pathOf(pattern), pathOf(pattern, UNKNOWN)]) {
      const login = `/login?redirect=${encodeURIComponent(path)}`;
      expect(locationOf(await anonymous.get(path))).toBe(login);
      for (const fields of formsOf(pattern)) {
        expect(locationOf(await anonymous.submit(path, fields))).toBe(login);
      }
      const data = await anonymous.get(`${path}.data`);
      expect([data.status, await data.text()]).toEqual([
        202,
        expect.stringContaining(JSON.stringify(login)),
      ]);
    }
  },
);

test("an impersonation reads an organization and closes each of its changes", async () => {
  const { browser } = await anAdmin(gatehouse);
  const reason = "They cannot find their team";
  await browser.submit(`/manager/users/${owner.user.id}`, {
    intent: "impersonate",
    impersonationReason: reason,
  });
  const before = await readAll();
  const closed = t("codes:CLOSED_WHILE_IMPERSONATING");

  for (const pattern of PAGES) {
    const path = pathOf(pattern);
    expect([path, (await browser.get(path)).status]).toEqual([path, 200]);
    for (const fields of formsOf(pattern)) {
      const response = await browser.submit(path, fields);
      expect([fields, locationOf(response)]).toEqual([fields, path]);
      expect(readText(await (await browser.follow(response)).text())).toContain(closed);
    }
  }
  const created = await browser.submit("/app/organizations/new", { name: "Mine", slug: "mine-1" });
  expect(locationOf(created)).toBe("/app/organizations/new");
  expect(await readAll()).toEqual(before);
});

test("a disabled organization is shown with its reason, and every change is refused", async () => {
  await gatehouse.d1
    .prepare("UPDATE organization SET disabled_at = 1, disabled_reason = 'Unpaid' WHERE id = ?")
    .bind(organization.id)
    .run();
  const before = await readAll();
  const code = t("codes:ORGANIZATION_DISABLED");

  for (const pattern of PAGES) {
    const path = pathOf(pattern);
    const page = await owner.browser.get(path);
    expect(page.status).toBe(200);
    // These pages have no frame.
    if (!/\/(logo|keys|keys\/[^/]+|export)$/.test(path))
      expect(readText(await page.text())).toContain("Reason: Unpaid");
    for (const fields of formsOf(pattern)) {
      if (
        ["leave", "delete", "restore"].includes(fields.intent ?? "") &&
        path.endsWith("settings")
      ) {
        continue;
      }
      const response = await owner.browser.submit(path, fields);
      // What only ends something may still be done; here it names nothing that is there.
      const expected = ENDINGS.includes(fields) ? 404 : 409;
      expect([fields, response.status]).toEqual([fields, expected]);
      if (expected === 409) expect(readText(await response.text())).toContain(code);
    }
  }
  expect(await readAll()).toEqual(before);
});
