import { afterAll, expect, test } from "vitest";
import { LANGUAGES } from "../../app/i18n/languages.ts";
import { auditOf } from "../support/audit.ts";
import { accessibleError, locationOf, newBrowser } from "../support/client.ts";
import { logoPath, logosOf } from "../support/organization-logos.ts";
import { aMember } from "../support/organizations.ts";
import { anAdmin, aSignedInUser, aUser } from "../support/people.ts";
import {
  aPicture,
  aPng,
  fullHourAfter,
  JPEGS,
  uploadPicture,
  vp8l,
  webpOf,
} from "../support/pictures.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const HOUR_MS = 3_600_000;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const bucket = await gatehouse.getBucket("AVATARS");
const { logoOf, anOwner, aLogo, expectGone } = logosOf(gatehouse);
const say = translationsIn("en");

function settingsOf({ slug }: { slug: string }): string {
  return `/app/organizations/${slug}/settings`;
}

async function changesOf({ id }: { id: string }) {
  return (await auditOf(gatehouse, id)).map(({ action }) => action);
}

test("an owner and an admin change the logo, and a member reads it", async () => {
  const { user, browser, organization, logo } = await aLogo();
  const admin = await aSignedInUser(gatehouse);
  const member = await aSignedInUser(gatehouse);
  const own = { organization_id: organization.id };
  await aMember(gatehouse, { ...own, user_id: admin.user.id, role: "admin" });
  await aMember(gatehouse, { ...own, user_id: member.user.id });

  const response = await member.browser.get(`/logos/${logo}`);

  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "private, max-age=31536000, immutable",
    "content-type": "image/webp",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    etag: `"${logo}"`,
  });
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(aPicture());
  expect(await (await browser.get(logoPath(organization))).text()).toContain(`/logos/${logo}`);
  expect(await auditOf(gatehouse, organization.id)).toMatchObject([
    { action: "organization.logo_changed", actorId: user.id },
  ]);

  expect(locationOf(await uploadPicture(admin.browser, logoPath(organization)))).toBe(
    settingsOf(organization),
  );
  expect(await logoOf(organization)).not.toBe(logo);
  await expectGone(logo);
});

test("removing the logo deletes it, with one audit record", async () => {
  const { browser, organization, logo } = await aLogo();

  const response = await browser.submit(logoPath(organization), { intent: "remove" });
  await browser.submit(logoPath(organization), { intent: "remove" });

  expect(locationOf(response)).toBe(settingsOf(organization));
  expect(await logoOf(organization)).toBeNull();
  await expectGone(logo);
  expect(await changesOf(organization)).toEqual([
    "organization.logo_changed",
    "organization.logo_removed",
  ]);
});

test("a logo answers the same 404 to everyone but its members and managers", async () => {
  const { browser, organization, logo } = await aLogo();
  const { browser: manager } = await anAdmin(gatehouse);
  const former = await aSignedInUser(gatehouse);
  await aMember(gatehouse, { organization_id: organization.id, user_id: former.user.id });
  expect((await former.browser.get(`/logos/${logo}`)).status).toBe(200);
  await gatehouse.d1.prepare("DELETE FROM member WHERE user_id = ?").bind(former.user.id).run();
  const leaving = await aSignedInUser(gatehouse);
  await aMember(gatehouse, { organization_id: organization.id, user_id: leaving.user.id });
  await gatehouse.d1
    .prepare("UPDATE user SET deletion_due_at = ? WHERE id = ?")
    .bind(Date.now() + HOUR_MS, leaving.user.id)
    .run();
  const others = {
    "signed out": newBrowser(gatehouse),
    "no member": (await aSignedInUser(gatehouse)).browser,
    "member of another organization": (await anOwner()).browser,
    "removed member": former.browser,
    "member who is leaving": leaving.browser,
  };
  const unknown = await browser.get(`/logos/${crypto.randomUUID()}`);
  const answerOf = async (response: Response) => ({
    status: response.status,
    body: await response.text(),
    cache: response.headers.get("cache-control"),
    type: response.headers.get("content-type"),
    etag: response.headers.get("etag"),
  });
  const expected = await answerOf(unknown);

  expect((await manager.get(`/logos/${logo}`)).status).toBe(200);
  expect(expected).toMatchObject({ status: 404, cache: "no-store", etag: null });
  for (const [name, other] of Object.entries(others)) {
    const headers = { "if-none-match": `"${logo}"` };
    for (const init of [{}, { headers }]) {
      const response = await other.get(`/logos/${logo}`, init);
      expect({ name, ...(await answerOf(response)) }).toEqual({ name, ...expected });
    }
    expect((await other.get(`/avatars/${logo}`)).status).toBe(404);
    expect((await other.get(`/avatars/logos%2F${logo}`)).status).toBe(404);
  }
});

test("a picture of a user is no logo", async () => {
  const { browser: manager } = await anAdmin(gatehouse);
  const avatar = crypto.randomUUID();
  await bucket.put(avatar, aPicture());

  expect((await manager.get(`/logos/${avatar}`)).status).toBe(404);
});

test("a member asks again for a logo that has not changed", async () => {
  const { browser, logo } = await aLogo();

  const response = await browser.get(`/logos/${logo}`, {
    headers: { "if-none-match": `"${logo}"` },
  });

  expect(response.status).toBe(304);
});

test.each(["x", "..%2f..%2fapp", "%00", "A".repeat(2_000)])(
  "the name %.20s answers 404 to a manager",
  async (name) => {
    const { browser } = await anAdmin(gatehouse);

    expect((await browser.get(`/logos/${name}`)).status).toBe(404);
  },
);

test("the screen is for members who may change the organization", async () => {
  const { organization, logo } = await aLogo();
  const member = await aSignedInUser(gatehouse);
  await aMember(gatehouse, { organization_id: organization.id, user_id: member.user.id });
  const foreign = await anOwner();

  expect((await member.browser.get(logoPath(organization))).status).toBe(403);
  expect((await uploadPicture(member.browser, logoPath(organization))).status).toBe(403);
  expect((await foreign.browser.get(logoPath(organization))).status).toBe(404);
  expect((await uploadPicture(foreign.browser, logoPath(organization))).status).toBe(404);
  const removal = { intent: "remove" };
  expect((await member.browser.submit(logoPath(organization), removal)).status).toBe(403);
  expect((await foreign.browser.submit(logoPath(organization), removal)).status).toBe(404);

  expect(await logoOf(organization)).toBe(logo);
  const { objects } = await bucket.list({
    prefix: "logos/",
    include: ["customMetadata"],
  });
  const own = objects.filter(
    ({ customMetadata }) => customMetadata?.organization === organization.id,
  );
  expect(own.map(({ key }) => key)).toEqual([`logos/${logo}`]);
});

test.each([
  ["deletion_due_at", "ORGANIZATION_BEING_DELETED"],
  ["disabled_at", "ORGANIZATION_DISABLED"],
])("with %s the logo stays, and the screen says why", async (column, code) => {
  const { browser, organization, logo } = await aLogo();
  await gatehouse.d1
    .prepare(`UPDATE organization SET ${column} = ? WHERE id = ?`)
    .bind(Date.now() + HOUR_MS, organization.id)
    .run();

  const page = await (await browser.get(logoPath(organization))).text();
  expect(page).toContain(say(`codes:${code}`));
  expect(page).not.toContain('type="file"');
  expect((await uploadPicture(browser, logoPath(organization))).status).toBe(400);
  expect((await browser.submit(logoPath(organization), { intent: "remove" })).status).toBe(400);
  expect(await logoOf(organization)).toBe(logo);
  expect((await browser.get(`/logos/${logo}`)).status).toBe(200);
});

test("an impersonator cannot change the logo", async () => {
  const { user, browser, organization, logo } = await aLogo();
  const { user: manager } = await anAdmin(gatehouse);
  await gatehouse.d1
    .prepare("UPDATE session SET impersonated_by = ? WHERE user_id = ?")
    .bind(manager.id, user.id)
    .run();

  expect(locationOf(await uploadPicture(browser, logoPath(organization)))).toBe(
    logoPath(organization),
  );
  expect(await logoOf(organization)).toBe(logo);
});

test.each([
  ["image/png", aPng({ width: 512, height: 114 })],
  ["image/jpeg", JPEGS.baseline],
])("a logo of the type %s in any shape is served with its own type", async (type, file) => {
  const { browser, organization } = await anOwner();

  const response = await uploadPicture(browser, logoPath(organization), file);
  const served = await browser.get(`/logos/${await logoOf(organization)}`);

  expect(locationOf(response)).toBe(settingsOf(organization));
  expect(served.headers.get("content-type")).toBe(type);
});

test.each<[string, BlobPart, string, number]>([
  ["a picture tampered with", aPicture().with(20, 0), "notTaken", 400],
  ["half a picture", aPicture().slice(0, 20), "notTaken", 400],
  ["an SVG with a script", SVG, "svg", 400],
  ["a picture of too many pixels", webpOf(vp8l({ width: 1025, height: 1 })), "tooManyPixels", 400],
  ["nothing", "", "missing", 400],
  ["a file a little too large", new Uint8Array(300_001), "tooLarge", 413],
  ["a file much too large", new Uint8Array(1_000_000), "tooLarge", 413],
])(
  "%s is refused beside the field, in the reader's language",
  async (_name, content, reason, status) => {
    const { browser, organization } = await anOwner();
    for (const language of LANGUAGES) {
      browser.cookies.set("i18next", language);

      const response = await uploadPicture(browser, logoPath(organization), content);

      expect(response.status).toBe(status);
      expect(accessibleError(await response.text(), "picture")).toBe(
        // An accessible name has no other spaces than the usual ones.
        translationsIn(language)(`pictures:${reason}`).replace(/\s/g, " "),
      );
    }
    expect(await logoOf(organization)).toBeNull();
  },
);

test.each([2, 3, 4].flatMap((call) => [`${call} before`, `${call} after`]))(
  "a database failure at call %s leaves no organization with a missing logo",
  async (fault) => {
    await using faulty = await startGatehouse();
    faulty.expectErrors("database.unavailable");
    const { browser, organization } = await anOwner(faulty);
    await uploadPicture(browser, logoPath(organization));
    const first = (await logoOf(organization, faulty)) ?? "";

    // The calls find the session, count the change, find the organization, and change the row.
    const response = await uploadPicture(browser, logoPath(organization), aPicture(), {
      headers: { "x-d1-fault": fault },
    });

    expect(response.status).toBe(503);
    const logo = (await logoOf(organization, faulty)) ?? "";
    expect(logo === first).toBe(fault !== "4 after");
    expect(await (await faulty.getBucket("AVATARS")).head(`logos/${logo}`)).not.toBeNull();

    expect(locationOf(await uploadPicture(browser, logoPath(organization)))).toBe(
      settingsOf(organization),
    );
    await faulty.runHourly(fullHourAfter(2 * HOUR_MS));
    const { objects } = await (await faulty.getBucket("AVATARS")).list();
    expect(objects.map(({ key }) => key)).toEqual([`logos/${await logoOf(organization, faulty)}`]);
  },
);

test("the hourly sweep deletes logos that no organization has named for an hour", async () => {
  const erased = await aLogo();
  const kept = await aLogo();
  const person = await aUser(gatehouse, { avatar: crypto.randomUUID() });
  await bucket.put(person.avatar ?? "", aPicture(), {
    customMetadata: { user: person.id },
  });
  await gatehouse.d1
    .prepare("DELETE FROM organization WHERE id = ?")
    .bind(erased.organization.id)
    .run();

  await gatehouse.runHourly(fullHourAfter(-HOUR_MS));
  expect(await bucket.head(`logos/${erased.logo}`)).not.toBeNull();
  await gatehouse.runHourly(fullHourAfter(2 * HOUR_MS));

  expect(await bucket.head(`logos/${erased.logo}`)).toBeNull();
  expect(await bucket.head(`logos/${kept.logo}`)).not.toBeNull();
  expect(await bucket.head(person.avatar ?? "")).not.toBeNull();
});
