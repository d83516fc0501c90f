import { afterAll, expect, test } from "vitest";
import { newBrowser, readText } from "../support/client.ts";
import { openList } from "../support/lists.ts";
import { findAll, readPage, textOf } from "../support/page.ts";
import { anAdmin, askForCode, aUser, enterCode, newEmail, wrongCode } from "../support/people.ts";
import { aRepository } from "../support/repositories.ts";
import { startGatehouse } from "../support/worker.ts";

const DASHBOARD = "/manager/dashboard";
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
gatehouse.expectErrors("mail.failed");
const { browser: manager } = await anAdmin(gatehouse);

const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** The first and the last moment of the day so many days ago. */
const startOf = (daysAgo: number) => today - daysAgo * DAY_MS;
const endOf = (daysAgo: number) => startOf(daysAgo) + DAY_MS - 1;

// One user at each end of every period, to find off-by-one errors.
for (const days of [7, 30]) {
  for (const moment of [startOf(days - 1), endOf(days), startOf(2 * days - 1), endOf(2 * days)]) {
    await aUser(gatehouse, { created_at: moment, last_seen_at: moment });
  }
}
await aUser(gatehouse, { created_at: 1, last_seen_at: today });
await aUser(gatehouse, { created_at: 1, last_seen_at: today - 1 });
await aUser(gatehouse, { created_at: 1, banned: 1 });
await aUser(gatehouse, { created_at: 1, banned: 1, ban_expires: Date.now() + DAY_MS });
await aUser(gatehouse, { created_at: 1, banned: 1, ban_expires: Date.now() - DAY_MS });
await aUser(gatehouse, { created_at: 1, name: "", onboarded_at: null });
await aUser(gatehouse, { created_at: 1, name: "", onboarded_at: null, banned: 1 });
for (let index = 0; index < 3; index++) await aRepository(gatehouse);
await gatehouse.d1.batch(
  [
    ["sent", startOf(0)],
    ["sent", startOf(0) - 1],
    ["failed", startOf(0)],
    ["failed", startOf(3)],
    ["waiting", startOf(5)],
  ].map(([state, moment], index) =>
    gatehouse.d1
      .prepare(
        "INSERT INTO mail_outbox (id, kind, recipient, language, state, next_try_at, expires_at, created_at) VALUES (?, 'login-code', 'x@example.com', 'en', ?, ?, 9e14, ?)",
      )
      .bind(`mail-${index}`, state, 9e14, moment),
  ),
);
await gatehouse.d1.batch(
  [startOf(0), startOf(1), endOf(1), startOf(29), endOf(30)].map((moment, index) =>
    gatehouse.d1
      .prepare("INSERT INTO audit_event (id, action, created_at) VALUES (?, 'user.signed_in', ?)")
      .bind(`sign-in-${index}`, moment),
  ),
);
// One failed mail and one wrong code today.
gatehouse.mailbox.answerNext({
  status: 422,
  body: { statusCode: 422, name: "validation_error", message: "No" },
});
await askForCode(newBrowser(gatehouse), newEmail());
await gatehouse.logged("mail.failed");
const guesser = newEmail();
const browser = newBrowser(gatehouse);
await askForCode(browser, guesser);
await enterCode(browser, guesser, wrongCode(await gatehouse.mailbox.codeFor(guesser)));

/** A figure as its card shows it, and the URL of its list. */
type Shown = { text: string; value: number; to: string };

async function readFigures(): Promise<Map<string, Shown>> {
  const { document } = readPage(await (await manager.get(DASHBOARD)).text());
  const cards = [...document.querySelectorAll("dl > div")];
  return new Map(
    cards.map((card) => {
      const [term, figure] = ["dt", "dd"].map((part) => textOf(card.querySelector(part)));
      const [link] = findAll(card, "link");
      const to = link?.getAttribute("href") ?? "";
      return [term ?? "", { text: textOf(card), value: Number(figure), to }];
    }),
  );
}

async function totalBehind(path: string): Promise<number> {
  const { status, text } = await openList(manager, path);
  expect([path, status]).toEqual([path, 200]);
  expect(text).not.toContain("ignored");
  return Number(
    /Showing \d+ of (\d+)/.exec(text)?.[1] ?? (text.includes("No Data") ? 0 : Number.NaN),
  );
}

// The manager's own visit is written after a response, so it counts from the next request on.
while (
  !(await gatehouse.d1
    .prepare("SELECT 1 FROM user WHERE role = 'admin' AND last_seen_at IS NOT NULL")
    .first())
) {
  await manager.get(DASHBOARD);
}
const beforeCount = await readFigures();
await gatehouse.runScheduled();
const figures = await readFigures();

test.each([
  // The manager counts as a user of today and as active today; asking for a code makes no user.
  ["Users", 16],
  ["New in 7 days", 2],
  ["New in 30 days", 6],
  ["Organizations", 0],
  ["Repositories", 3],
  ["Active today", 2],
  ["Active this week", 4],
  ["Active this month", 8],
  ["Banned", 3],
  // A banned user without a name counts as banned only.
  ["Not onboarded", 1],
  // One for the wrong code's user, one from the start of the day.
  ["Sign-in codes sent today", 2],
  ["Sign-in codes not sent today", 2],
  ["Mail waiting", 1],
  ["Mail failed", 3],
])("%s is %i, and so is the total of its list", async (name, expected) => {
  const figure = figures.get(name);

  expect(figure?.value).toBe(expected);
  expect(await totalBehind(figure?.to ?? "")).toBe(expected);
});

test("these tests cover every figure", () => {
  expect(figures.size).toBe(14);
});

test("new users are compared with the same part of the period before", () => {
  // Only the first moment of each period before counts; its last one is later in the day than now.
  expect(figures.get("New in 7 days")?.text).toContain("+1 against the period before");
  expect(figures.get("New in 30 days")?.text).toContain("+5 against the period before");
});

test("today's wrong codes are shown with the codes sent", () => {
  expect(figures.get("Sign-in codes sent today")?.text).toContain("1 wrong code entered");
});

test("sign-ins of 30 days are shown as a chart and a table, and link to as many events", async () => {
  const page = readPage(await (await manager.get(DASHBOARD)).text());
  const counts = page.rows().map(([, count]) => Number(count));

  expect(counts).toHaveLength(30);
  expect([counts[0], counts[28], counts[29]]).toEqual([1, 2, 2]);
  const to = page.linkTo("5 sign-ins in 30 days") ?? "";
  expect(to).toMatch(/^\/manager\/audit\?action/);
  expect(await totalBehind(to)).toBe(5);
  const bars = [...page.document.querySelectorAll("svg title")].map((bar) => bar.textContent);
  expect(bars.filter((bar) => /: \d+$/.test(bar))).toHaveLength(30);
});

test("the screen shows the last ten events and a link to the audit log", async () => {
  const page = readPage(await (await manager.get(DASHBOARD)).text());
  const events = [...page.document.querySelectorAll("ol > li")].map(textOf);

  expect(events).toHaveLength(10);
  expect(events.join(" ")).toMatch(/Signed in.*Mona Manager/);
  expect(page.linkTo("See all")).toBe("/manager/audit");
});

test("before the cron has counted, its figures are unknown while user figures are shown", () => {
  expect(beforeCount.get("Mail waiting")?.text).toContain("–");
  expect(beforeCount.get("Active this month")?.value).toBe(8);
});

test("the screen says how old the counted figures are", async () => {
  const text = readText(await (await manager.get(DASHBOARD)).text());

  expect(text).toMatch(/Mail, codes and comparisons were counted .*(now|second|minute)/);
});

test("a change to a user changes the figures at once", async () => {
  const before = await readFigures();
  const { id } = await aUser(gatehouse, { created_at: 1, name: "", onboarded_at: null });
  const figureNow = async (name: string) => (await readFigures()).get(name)?.value ?? Number.NaN;
  expect(await figureNow("Not onboarded")).toBe((before.get("Not onboarded")?.value ?? 0) + 1);

  const change = (set: string) =>
    gatehouse.d1.prepare(`UPDATE user SET ${set} WHERE id = ?`).bind(id).run();
  await change("banned = 1");
  expect(await figureNow("Not onboarded")).toBe(before.get("Not onboarded")?.value);
  expect(await figureNow("Banned")).toBe((before.get("Banned")?.value ?? 0) + 1);
  await change(`banned = 0, last_seen_at = ${Date.now()}`);
  expect(await figureNow("Active today")).toBe((before.get("Active today")?.value ?? 0) + 1);
  await gatehouse.d1.prepare("DELETE FROM user WHERE id = ?").bind(id).run();
  expect([...(await readFigures())].map(([, { value }]) => value)).toEqual(
    [...before].map(([, { value }]) => value),
  );
});

test("the cron counts every quarter of an hour, and at the start of a day", async () => {
  const countedAt = () =>
    gatehouse.d1.prepare("SELECT max(counted_at) AS at FROM figure").first<number>("at");
  const first = (await countedAt()) ?? 0;
  await gatehouse.runScheduled(new Date(first + 10 * 60_000));
  const early = await countedAt();
  await gatehouse.runScheduled(new Date(first + 15 * 60_000));
  const late = await countedAt();
  const midnight = (Math.floor(first / DAY_MS) + 1) * DAY_MS;
  await gatehouse.runScheduled(new Date(midnight));

  expect([early, late, await countedAt()]).toEqual([first, first + 15 * 60_000, midnight]);
});
