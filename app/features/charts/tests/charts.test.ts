import { afterAll, expect, test } from "vitest";
import { ROW_BOUNDS } from "../../../../bench/bounds.ts";
import { newBrowser } from "../../../../tests/support/client.ts";
import { CLOCKS } from "../../../../tests/support/clocks.ts";
import { insertRows } from "../../../../tests/support/insert.ts";
import { openList } from "../../../../tests/support/lists.ts";
import { readPage, textOf } from "../../../../tests/support/page.ts";
import {
  anAdmin,
  askForCode,
  aUser,
  enterCode,
  newEmail,
  wrongCode,
} from "../../../../tests/support/people.ts";
import { startGatehouse } from "../../../../tests/support/worker.ts";
import { COUNTED } from "../../../db/schema/schema.ts";
import { SLOT_MS } from "../../dashboard/days.ts";

const DASHBOARD = "/manager/dashboard";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** The first and the last moment of the day so many days ago. */
const startOf = (daysAgo: number) => today - daysAgo * DAY_MS;
const endOf = (daysAgo: number) => startOf(daysAgo) + DAY_MS - 1;

// One user at each end of every period, to find off-by-one errors.
for (const days of [7, 30]) {
  for (const moment of [startOf(days - 1), endOf(days), startOf(2 * days - 1), endOf(2 * days)]) {
    await aUser(gatehouse, { created_at: moment });
  }
}
// Enough sign-ins of today for a chart, and some at the ends of days.
const signIns = [...Array(11).fill(startOf(0)), startOf(1), endOf(1), startOf(29), endOf(30)];
await insertRows(
  gatehouse.d1,
  "audit_event",
  signIns.map((created_at, index) => ({
    id: `sign-in-${index}`,
    action: "user.signed_in",
    created_at,
  })),
);
const guesser = newEmail();
const browser = newBrowser(gatehouse);
await askForCode(browser, guesser);
await enterCode(browser, guesser, wrongCode(await gatehouse.mailbox.codeFor(guesser)));

async function totalBehind(path: string): Promise<number> {
  const { status, text } = await openList(manager, path);
  expect([path, status]).toEqual([path, 200]);
  return Number(/Showing \d+ of (\d+)/.exec(text)?.[1]);
}

/** Returns the chart's numbers of a period, oldest day first, as its table has them. */
async function readDays(search: string) {
  const page = readPage(await (await manager.get(DASHBOARD + search)).text());
  const rows = page.rows().map((cells) => cells.slice(-3).map(Number));
  return { page, rows: rows.reverse() };
}

test.each([
  ["", 30],
  ["?days=7", 7],
  ["?days=90", 90],
  ["?days=5", 30],
])("the chart of %j has %i days, as columns and as rows", async (search, length) => {
  const { page, rows } = await readDays(search);

  expect(rows).toHaveLength(length);
  const columns = [...page.document.querySelectorAll("[role=img]")];
  expect(columns).toHaveLength(length);
  const [signedIn, signedUp, wrongCodes] = rows.at(-1) ?? [];
  expect(textOf(columns.at(-1) ?? null)).toMatch(
    new RegExp(`\\d Sign-ins: ${signedIn} Sign-ups: ${signedUp} Wrong codes: ${wrongCodes}$`),
  );
  expect(columns.map((column) => column.getAttribute("tabindex"))).toEqual([
    ...Array(length - 1).fill("-1"),
    "0",
  ]);
});

test("a series with fewer than ten events in the period is one sentence", async () => {
  const { page } = await readDays("");

  const drawn = [...page.document.querySelectorAll("figure h3")].map(textOf);
  expect(drawn).toEqual(["Sign-ins per day"]);
  expect(page.text()).toContain("6 sign-ups in the last 30 days 1 wrong code in the last 30 days");
});

test("the chart counts sign-ins, sign-ups and wrong codes by day, and links to as many rows", async () => {
  const { page, rows } = await readDays("");

  expect([rows[0]?.[0], rows[28]?.[0], rows[29]?.[0]]).toEqual([1, 2, 12]);
  expect([rows[0]?.[1], rows[23]?.[1], rows[29]?.[1]]).toEqual([1, 1, 1]);
  expect(rows[29]?.[2]).toBe(1);
  const [toEvents, toUsers] = ["15 in the last 30 days", "6 sign-ups in the last 30 days"].map(
    (text) => page.linkTo(text) ?? "",
  );
  expect(toEvents).toMatch(/^\/manager\/audit\?action/);
  expect(await totalBehind(toEvents ?? "")).toBe(15);
  expect(toUsers).toMatch(/^\/manager\/users\?from/);
  expect(await totalBehind(toUsers ?? "")).toBe(6);
});

test("wrong codes lead to the people who had trouble signing in", async () => {
  const { page } = await readDays("");

  const to = page.linkTo("See who had trouble");
  expect(to).toBe("/manager/mail/sign-in");
});

test("the figures of today stand above the charts until another day is chosen", async () => {
  const { page } = await readDays("");

  expect(page.text()).toContain("Today so far Sign-ins: 12 Sign-ups: 1 Wrong codes: 1");
});

test("a wrong code counts on its day, also when its event is deleted", async () => {
  await gatehouse.d1
    .prepare(
      "INSERT INTO code_event (id, budget, kind, created_at) VALUES ('old', 'x', 'failed', ?)",
    )
    .bind(endOf(5))
    .run();

  expect((await readDays("?days=7")).rows.map(([, , wrong]) => wrong)).toEqual([
    0, 1, 0, 0, 0, 0, 1,
  ]);
  await gatehouse.d1.exec("DELETE FROM code_event");
  expect((await readDays("?days=7")).rows.map(([, , wrong]) => wrong)).toEqual([
    0, 1, 0, 0, 0, 0, 1,
  ]);
});

test.each(CLOCKS)("in %s the chart counts the reader's days", async (zone, ahead) => {
  await using own = await startGatehouse();
  const { browser: reader } = await anAdmin(own, { created_at: 1 });
  reader.cookies.set("gatehouse.time-zone", zone);
  const midnight = Math.floor((Date.now() + ahead * HOUR_MS) / DAY_MS) * DAY_MS - ahead * HOUR_MS;
  // The last moment of the day before yesterday, and the first and the last one of yesterday.
  const moments = [-DAY_MS - 1, -DAY_MS, -1].map((distance) => midnight + distance);
  for (const moment of moments) await aUser(own, { created_at: moment, last_seen_at: 1 });
  await insertRows(
    own.d1,
    "audit_event",
    moments.map((created_at, index) => ({ id: `${index}`, action: "user.signed_in", created_at })),
  );

  const page = readPage(await (await reader.get(`${DASHBOARD}?days=7`)).text());

  const [, yesterday, before] = page.rows().map((cells) => cells.slice(-3).map(Number));
  expect([yesterday, before]).toEqual([
    [2, 2, 0],
    [1, 1, 0],
  ]);
});

test("the rows of 90 days, in each slot of which something happened, stay in their bound", async () => {
  const now = Math.floor(Date.now() / SLOT_MS);
  for (const name of COUNTED) {
    await gatehouse.d1.exec(
      `INSERT OR IGNORE INTO slot_count (name, slot, value) WITH RECURSIVE slots(slot) AS (SELECT ${now} UNION ALL SELECT slot - 1 FROM slots LIMIT 9600) SELECT '${name}', slot, 1 FROM slots`,
    );
  }

  const response = await manager.get(`${DASHBOARD}?days=90`);
  await response.arrayBuffer();
  const rows = Number(response.headers.get("x-d1-rows-read"));
  expect([rows, rows > 30_000 && rows <= ROW_BOUNDS.quarter]).toEqual([rows, true]);
});
