import { afterAll, expect, test } from "vitest";
import { joined } from "../../app/features.ts";
import { saveAccess } from "../support/access-settings.ts";
import { type Browser, locationOf, readText } from "../support/client.ts";
import { readPage, textOf } from "../support/page.ts";
import { anAdmin, aSignedInUser } from "../support/people.ts";
import { translationsIn } from "../support/translations.ts";
import { startGatehouse } from "../support/worker.ts";

const DASHBOARD = "/manager/dashboard";
const SYSTEM = "/manager/settings/system";
const say = translationsIn("en");

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager, user: admin } = await anAdmin(gatehouse);

/** Returns the steps of the list on the dashboard with their links; undefined without a list. */
async function stepsFor(browser: Browser = manager) {
  const { document } = readPage(await (await browser.get(DASHBOARD)).text());
  const list = document.querySelector('section[aria-labelledby="set-up-list"]');
  if (!list) return undefined;
  const items = [...list.querySelectorAll("li")].map((item) => ({
    text: textOf(item),
    to: item.querySelector("a")?.getAttribute("href"),
  }));
  return { text: textOf(list), items, done: items.filter(({ text }) => text.startsWith("Done:")) };
}

const change = (sql: string) => gatehouse.d1.exec(sql);
const ofFeatures = Object.values<{ to: string }>(joined("setUp"));

test("a new site has a list of steps, each open and with the way to where it is done", async () => {
  const steps = await stepsFor();

  expect(steps?.items.map(({ to }) => to)).toEqual([
    `${SYSTEM}#set-up`,
    SYSTEM,
    "/manager/settings/brand",
    "/manager/settings/access",
    "/manager/users/new",
    `${SYSTEM}#set-up`,
    ...ofFeatures.map(({ to }) => to),
  ]);
  expect(steps?.text).toContain(`0 of ${6 + ofFeatures.length} done`);
  for (const { to } of ofFeatures) expect((await manager.get(to)).status).toBe(200);
});

test("only who may change the settings sees the list", async () => {
  for (const role of ["support", "auditor"]) {
    const { browser } = await aSignedInUser(gatehouse, { role });
    expect([role, await stepsFor(browser)]).toEqual([role, undefined]);
  }
});

test("saving the access as it was installed decides who may sign up, once", async () => {
  const version = () => gatehouse.d1.prepare("SELECT version FROM site_setting").first("version");
  const isDecided = async () =>
    (await stepsFor())?.done.some(({ text }) => text.includes("Who may sign up is decided"));
  expect(await isDecided()).toBe(false);

  await saveAccess(gatehouse, manager, { signUpMode: "open" });
  await saveAccess(gatehouse, manager, { signUpMode: "open" });

  expect([await isDecided(), await version()]).toEqual([true, 2]);
  await change("UPDATE site_setting SET version = 1");
});

test.each([
  ["Name and look are set", "UPDATE brand SET updated_at = 1"],
  ["Who may sign up is decided", "UPDATE site_setting SET sign_up_mode = 'open'"],
  ["Last backup:", `UPDATE set_up SET backup_at = ${Date.now()}`],
])("%s is ticked by its fact alone", async (text, sql) => {
  const before = (await stepsFor())?.done.length;

  await change(sql);

  const done = (await stepsFor())?.done ?? [];
  expect(done.filter((step) => step.text.includes(text))).toHaveLength(1);
  expect(done).toHaveLength((before ?? 0) + 1);
});

test("a second admin counts while they can sign in", async () => {
  const { user } = await anAdmin(gatehouse);
  const hasSecond = async () =>
    (await stepsFor())?.done.some(({ text }) => text.includes("There is a second admin"));
  expect(await hasSecond()).toBe(true);

  await gatehouse.d1.prepare("UPDATE user SET banned = 1 WHERE id = ?").bind(user.id).run();

  expect(await hasSecond()).toBe(false);
});

test("a test mail goes to the manager who asks, and mail is proven when the provider has accepted it", async () => {
  expect((await stepsFor())?.text).toContain("See whether mail leaves");
  const page = await (await manager.get(SYSTEM)).text();
  expect(readText(page)).toContain("Test email None was sent yet");

  const answer = await manager.submit(SYSTEM, { intent: "test-mail" });

  expect(locationOf(answer)).toBe(SYSTEM);
  const subjects = () =>
    gatehouse.mailbox.mails.filter(({ to }) => to === admin.email).map(({ subject }) => subject);
  await expect.poll(subjects).toEqual(["Test email from Gatehouse"]);
  await expect
    .poll(async () => readText(await (await manager.get(SYSTEM)).text()))
    .toContain("Test email Accepted by the mail provider");
  expect((await stepsFor())?.done.map(({ text }) => text)).toContain(
    "Done: The mail provider accepts emails",
  );
});

test("five test mails a day are the limit, and the manager is told so", async () => {
  for (let sent = 1; sent < 5; sent++) await manager.submit(SYSTEM, { intent: "test-mail" });
  const count = () =>
    gatehouse.d1
      .prepare("SELECT count(*) AS count FROM mail_outbox WHERE kind = 'test-mail'")
      .first("count");
  expect(await count()).toBe(5);

  await manager.submit(SYSTEM, { intent: "test-mail" });

  expect(await count()).toBe(5);
  expect(readText(await (await manager.get(SYSTEM)).text())).toContain(
    say("system:testMail.enough"),
  );
});

test("the list is hidden and shown again, which is on record once", async () => {
  const events = async () =>
    (
      await gatehouse.d1
        .prepare("SELECT details FROM audit_event WHERE details LIKE '%setUpList%' ORDER BY id")
        .all()
    ).results.length;

  const hidden = await manager.submit(SYSTEM, { intent: "hide-set-up" });
  await manager.submit(SYSTEM, { intent: "hide-set-up" });

  expect(locationOf(hidden)).toBe(DASHBOARD);
  expect([await stepsFor(), await events()]).toEqual([undefined, 1]);
  expect(readText(await (await manager.get(SYSTEM)).text())).toContain(say("system:setUp.show"));

  await manager.submit(SYSTEM, { intent: "show-set-up" });

  expect(await stepsFor()).toBeDefined();
  expect(await events()).toBe(2);
  expect(readText(await (await manager.get(SYSTEM)).text())).not.toContain(
    say("system:setUp.show"),
  );
});

test("on a developer's machine a test mail proves nothing, and the page says where it is", async () => {
  await using local = await startGatehouse({ mail: "local" });
  const { browser } = await anAdmin(local);

  await browser.submit(SYSTEM, { intent: "test-mail" });

  expect(readText(await (await browser.get(SYSTEM)).text())).toContain(
    "In the local inbox: it has not left this machine",
  );
  const steps = await stepsFor(browser);
  expect(steps?.text).toContain("Emails stay in the local inbox of this machine");
  expect(steps?.done).toEqual([]);
});
