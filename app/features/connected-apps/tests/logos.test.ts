import { afterAll, expect, test } from "vitest";
import { accessibleError, locationOf, newBrowser } from "../../../../tests/support/client.ts";
import { statementsOn } from "../../../../tests/support/insert.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { anAdmin, aSignedInUser } from "../../../../tests/support/people.ts";
import {
  aPicture,
  aPng,
  fullHourAfter,
  uploadPicture,
} from "../../../../tests/support/pictures.ts";
import { makeProofOld } from "../../../../tests/support/sessions.ts";
import { translationsIn } from "../../../../tests/support/translations.ts";
import { type Gatehouse, startGatehouse } from "../../../../tests/support/worker.ts";
import { type AppRow, aConsent, anApp, findAppRow } from "./apps.ts";
import { aParty, ask, aUserCode, discover, open } from "./relying-party.ts";

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const run = statementsOn(gatehouse);
const say = translationsIn("en");

const HOUR_MS = 3_600_000;
const OF_SITE = "/manager/settings/apps";
const { user: admin, browser: manager } = await anAdmin(gatehouse);

async function anOwner(of: Gatehouse = gatehouse) {
  const { user, browser } = await aSignedInUser(of);
  const { organization } = await anOrganization(of, {}, { owner: user });
  const app = await anApp(of, { organization_id: organization.id });
  const one = `/app/organizations/${organization.slug}/apps/${app.id}`;
  return { user, browser, organization, app, one };
}

const logoOf = async ({ id }: Pick<AppRow, "id">) =>
  (await findAppRow(gatehouse, id))?.logo ?? null;

async function isStored(logo: string): Promise<boolean> {
  const bucket = await gatehouse.getBucket("AVATARS");
  return (await bucket.head(`things/${logo}`)) !== null;
}

/** Waits until the bucket no longer holds a logo: it is deleted after the answer. */
const expectGone = (logo: string) => expect.poll(() => isStored(logo)).toBe(false);

test("a manager gives an app a logo, and people see it wherever the app is shown", async () => {
  const party = await aParty(gatehouse, { isPublic: true });
  const { id } = (await gatehouse.d1
    .prepare("SELECT id FROM oauth_client WHERE client_id = ?")
    .bind(party.clientId)
    .first<{ id: string }>()) ?? { id: "" };
  const path = `${OF_SITE}/${id}/logo`;

  expect(locationOf(await uploadPicture(manager, path))).toBe(`${OF_SITE}/${id}`);

  const logo = (await logoOf({ id })) ?? "";
  const src = `/connected-apps/logos/${logo}`;
  const { user, browser } = await aSignedInUser(gatehouse);
  const answer = await browser.get(src);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "private, max-age=31536000, immutable",
    "content-type": "image/webp",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin",
    etag: `"${logo}"`,
  });
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(aPicture());
  expect((await newBrowser(gatehouse).get(src)).status).toBe(404);

  const asking = await ask(await discover(gatehouse, party), party);
  const consent = await open(gatehouse, browser, asking);
  expect(await consent.page?.text()).toContain(src);
  const userCode = await aUserCode(gatehouse, party);
  const device = await browser.submit("/app/device", { intent: "look", userCode });
  expect(await device.text()).toContain(src);
  await aConsent(gatehouse, user, { client_id: party.clientId });
  for (const [one, page] of [
    [browser, "/app/account/apps"],
    [manager, OF_SITE],
    [manager, `${OF_SITE}/${id}`],
    [manager, `/manager/users/${user.id}?tab=sessions`],
  ] as const) {
    expect(await (await one.get(page)).text()).toContain(src);
  }
});

test("another logo takes the place of the first, and is removed, and deleted with the app", async () => {
  const { browser, organization, app, one } = await anOwner();
  await uploadPicture(browser, `${one}/logo`);
  const first = (await logoOf(app)) ?? "";
  expect(await isStored(first)).toBe(true);
  expect(await (await browser.get(one)).text()).toContain(`/connected-apps/logos/${first}`);
  await uploadPicture(browser, `${one}/logo`);
  const second = (await logoOf(app)) ?? "";
  expect(second).not.toBe(first);
  await expectGone(first);
  await browser.submit(`${one}/logo`, { intent: "remove" });
  expect(await logoOf(app)).toBeNull();
  await expectGone(second);
  await uploadPicture(browser, `${one}/logo`);
  const third = (await logoOf(app)) ?? "";
  await browser.submit(one, { intent: "delete" });
  await expectGone(third);
  const { results } = await gatehouse.d1
    .prepare("SELECT action FROM audit_event WHERE target_id = ? ORDER BY created_at")
    .bind(organization.id)
    .all<{ action: string }>();
  expect(results.map(({ action }) => action)).toEqual([
    "app.logo_changed",
    "app.logo_changed",
    "app.logo_removed",
    "app.logo_changed",
    "app.deleted",
  ]);
});

test("the cron deletes the logo of an app that went with its organization, and keeps others", async () => {
  const [gone, kept] = [await anOwner(), await anOwner()];
  for (const { browser, one } of [gone, kept]) await uploadPicture(browser, `${one}/logo`);
  const [lost, stays] = [(await logoOf(gone.app)) ?? "", (await logoOf(kept.app)) ?? ""];
  await run("DELETE FROM organization WHERE id = ?", gone.organization.id);

  await gatehouse.runHourly(fullHourAfter(2 * HOUR_MS));

  expect(await isStored(lost)).toBe(false);
  expect(await isStored(stays)).toBe(true);
});

test.each([
  ["a picture of too many pixels", aPng({ width: 1_100, height: 8 }), "tooManyPixels"],
  ["a drawing", "<svg xmlns='http://www.w3.org/2000/svg'/>", "svg"],
  ["a cut picture", aPicture().slice(0, 30), "notTaken"],
  ["an empty file", new Uint8Array(), "missing"],
  ["a huge file", new Uint8Array(310_000), "tooLarge"],
] as const)("%s is refused beside the field", async (_what, content, why) => {
  const { browser, app, one } = await anOwner();
  const refused = await uploadPicture(browser, `${one}/logo`, content as BlobPart);
  expect(refused.status).toBe(why === "tooLarge" ? 413 : 400);
  expect(accessibleError(await refused.text(), "picture")).toBe(say(`pictures:${why}`));
  expect(await logoOf(app)).toBeNull();
});

test("strangers, other owners, and managers for an organization's app change no logo, and strangers see none", async () => {
  const { user, browser, app, one } = await anOwner();
  await uploadPicture(browser, `${one}/logo`);
  const logo = await logoOf(app);
  const other = await anOwner();
  const foreign = other.one.replace(other.app.id, app.id);
  for (const [who, path, status] of [
    [other.browser, `${one}/logo`, 404],
    [other.browser, `${foreign}/logo`, 404],
    [other.browser, `${OF_SITE}/${app.id}/logo`, 403],
    [manager, `${OF_SITE}/${app.id}/logo`, 404],
  ] as const) {
    expect((await who.get(path)).status).toBe(status);
    expect((await uploadPicture(who, path)).status).toBe(status);
    expect((await who.submit(path, { intent: "remove" })).status).toBe(status);
  }
  expect(await logoOf(app)).toBe(logo);
  expect((await other.browser.get(`/connected-apps/logos/${logo}`)).status).toBe(404);
  expect((await manager.get(`/connected-apps/logos/${logo}`)).status).toBe(200);

  await makeProofOld(gatehouse, user);
  expect(locationOf(await browser.get(`${one}/logo`))).toContain("/app/account/confirm?next=");
  expect(locationOf(await uploadPicture(browser, `${one}/logo`))).toContain("/confirm");
  const ofSite = await anApp(gatehouse);
  await makeProofOld(gatehouse, admin);
  const path = `${OF_SITE}/${ofSite.id}/logo`;
  expect(locationOf(await manager.get(path))).toContain("/manager/account/confirm?next=");
  expect(await logoOf(app)).toBe(logo);
});

test("without a bucket nothing offers a logo, and an upload is refused with a message", async () => {
  await using bare = await startGatehouse({ without: ["AVATARS"] });
  const { browser, one } = await anOwner(bare);
  const shown = await (await browser.get(one)).text();
  expect(shown).not.toContain(`${one}/logo`);
  const page = await (await browser.get(`${one}/logo`)).text();
  expect(page).not.toContain('type="file"');
  const refused = await uploadPicture(browser, `${one}/logo`);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain(say("organizations:logo.unavailable"));
});
