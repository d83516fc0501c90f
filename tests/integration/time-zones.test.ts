import { afterAll, expect, test } from "vitest";
import type { Browser } from "../support/client.ts";
import { CLOCKS } from "../support/clocks.ts";
import { insertRows } from "../support/insert.ts";
import { openList } from "../support/lists.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aUser, newEmail } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());

/** Returns a manager's browser whose scripts have told its time zone. */
async function managerIn(zone: string): Promise<Browser> {
  const { browser } = await anAdmin(gatehouse);
  browser.cookies.set("gatehouse.time-zone", zone);
  return browser;
}

const ZONES = [
  // 10 March begins and ends there at these moments.
  ["Africa/Nairobi", "2026-03-09T21:00:00Z", "2026-03-10T20:59:59.999Z"],
  ["America/Los_Angeles", "2026-03-10T07:00:00Z", "2026-03-11T06:59:59.999Z"],
  ["no-zone", "2026-03-10T00:00:00Z", "2026-03-10T23:59:59.999Z"],
] as const;

test.each(ZONES)("in %s the lists filter by the reader's days", async (zone, first, last) => {
  const browser = await managerIn(zone);
  const word = `zoned${crypto.randomUUID().slice(0, 8)}`;
  const moments = [
    Date.parse(first) - 1,
    Date.parse(first),
    Date.parse(last),
    Date.parse(last) + 1,
  ];
  const people = [];
  for (const moment of moments) {
    const times = { created_at: moment, last_seen_at: moment };
    people.push(await aUser(gatehouse, { name: word, email: newEmail(word), ...times }));
  }
  await insertRows(
    gatehouse.d1,
    "mail_outbox",
    people.map(({ email }, index) => ({
      id: `${word}-${index}`,
      kind: "login-code",
      recipient: email,
      language: "en",
      state: "sent",
      next_try_at: 1,
      expires_at: 1,
      created_at: moments[index] ?? 0,
    })),
  );
  await insertRows(
    gatehouse.d1,
    "audit_event",
    moments.map((moment, index) => ({
      id: `${word}-${index}`,
      action: "user.updated",
      created_at: moment,
      target_type: "user",
      target_id: word,
      place: `${word}-${index}, KE`,
    })),
  );
  const day = "from=2026-03-10&to=2026-03-10";
  const within = people.slice(1, 3).map(({ id }) => id);

  const created = await openList(browser, `/manager/users?searchTerm=${word}&${day}`);
  expect(created.ids.toSorted()).toEqual(within.toSorted());
  const seen = `/manager/users?searchTerm=${word}&seenFrom=2026-03-10&seenTo=2026-03-10`;
  expect((await openList(browser, seen)).ids.toSorted()).toEqual(within.toSorted());
  const exported = await (
    await browser.get(`/manager/users/export?searchTerm=${word}&${day}`)
  ).text();
  expect(people.map(({ id }) => exported.includes(id))).toEqual([false, true, true, false]);
  const events = await (await browser.get(`/manager/audit?target=${word}&${day}`)).text();
  expect(moments.map((_, n) => events.includes(`${word}-${n}`))).toEqual([
    ...[false, true, true, false],
  ]);
  const mails = await (await browser.get(`/manager/mail?${day}`)).text();
  expect(people.map(({ email }) => mails.includes(email))).toEqual([false, true, true, false]);
});

test.each(ZONES)("in %s a ban ends with the manager's day", async (zone) => {
  const browser = await managerIn(zone);
  const { id } = await aUser(gatehouse);
  const year = new Date().getUTCFullYear() + 1;

  await browser.submit(`/manager/users/${id}`, {
    intent: "ban",
    duration: "date",
    until: `${year}-03-10`,
  });

  const end = await gatehouse.d1
    .prepare("SELECT ban_expires FROM user WHERE id = ?")
    .bind(id)
    .first<number>("ban_expires");
  const local = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone === "no-zone" ? "UTC" : zone,
    dateStyle: "short",
    timeStyle: "medium",
    hourCycle: "h23",
  }).format(new Date(end ?? 0));
  expect(local).toBe(`${year}-03-10, 23:59:59`);
});

test.each(CLOCKS)("in %s the dashboard counts the reader's days", async (zone, ahead) => {
  await using own = await startGatehouse();
  const { browser } = await anAdmin(own, { created_at: 1 });
  browser.cookies.set("gatehouse.time-zone", zone);
  const midnight = Math.floor((Date.now() + ahead * HOUR_MS) / DAY_MS) * DAY_MS - ahead * HOUR_MS;
  // The first moment of the last 7 days, and the one before; the last moment of yesterday, and the first of today.
  for (const distance of [-6 * DAY_MS, -6 * DAY_MS - 1]) {
    await aUser(own, { created_at: midnight + distance, last_seen_at: 1 });
  }
  await insertRows(
    own.d1,
    "audit_event",
    [midnight - 1, midnight].map((created_at, index) => ({
      id: `${index}`,
      action: "user.signed_in",
      created_at,
    })),
  );
  await insertRows(
    own.d1,
    "mail_outbox",
    [midnight - 1, midnight].map((created_at, index) => ({
      id: `${index}`,
      kind: "login-code",
      recipient: "x@example.com",
      language: "en",
      state: "failed",
      next_try_at: 1,
      expires_at: 1,
      created_at,
    })),
  );
  await own.runScheduled();

  const page = readPage(await (await browser.get("/manager/dashboard")).text());

  const text = page.text();
  expect(text).toContain("+1 in 7 days");
  // One of them is the manager's own.
  expect(text).toContain("Sign-ins today 2");
  const failed = page.linkTo("1 code could not be sent today") ?? "";
  const today = new Date(midnight + ahead * HOUR_MS).toISOString().slice(0, 10);
  expect(failed).toContain(`from=${today}`);
  expect((await openList(browser, failed)).text).toContain("Showing 1 of 1");
  expect(text).not.toContain("UTC");
});

test("until the scripts have told the zone, it is the one in which Cloudflare places the IP address", async () => {
  const { browser } = await anAdmin(gatehouse);
  const headers = { "MF-CF-Blob": JSON.stringify({ timezone: "Pacific/Kiritimati" }) };
  const word = `placed${crypto.randomUUID().slice(0, 8)}`;
  await aUser(gatehouse, { name: word, created_at: Date.parse("2026-03-09T10:00:00Z") });
  const count = async (init?: RequestInit) => {
    const path = `/manager/users?searchTerm=${word}&from=2026-03-10&to=2026-03-10`;
    return (await (await browser.get(path, init)).text()).split(word).length;
  };

  expect(await count({ headers })).toBeGreaterThan(await count());
});
