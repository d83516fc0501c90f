import { afterAll, expect, test } from "vitest";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  isSignedIn,
  locationOf,
  newBrowser,
  readText,
  toastOf,
  typedIn,
  undo,
} from "../support/client.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, askForCode, aUser, enterCode, signIn } from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { changesOf, findPerson, sessionsOf, userPath } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const SIGN_IN = "/api/auth/sign-in/email-otp";
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);

/** Returns the day so many days from today, in UTC. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

function inFiveYears(): string {
  const today = new Date();
  today.setUTCFullYear(today.getUTCFullYear() + 5);
  return today.toISOString().slice(0, 10);
}

test("managers cannot ban or delete themselves", async () => {
  const { user: self, browser } = await anAdmin(gatehouse);

  const changes: Record<string, string>[] = [
    { intent: "ban", duration: "1" },
    { intent: "delete" },
  ];
  for (const fields of changes) {
    const response = await browser.submit(userPath(self.id), fields);
    expect(await toastOf(browser, response)).toBe(
      fields.intent === "ban" ? "You can't ban yourself" : "You can't remove yourself",
    );
  }
  expect(await findPerson(gatehouse, self.id)).toMatchObject({ banned: 0, version: 1 });
  const screen = await (await browser.get(userPath(self.id))).text();
  expect(screen).not.toMatch(/value="(ban|delete)"/);
  expect((await auditOf(gatehouse, self.id)).map(({ action }) => action)).not.toContain(
    "user.banned",
  );
});

test("a ban ends every session, is recorded once, and shows its reason and end to the user", async () => {
  const { user: person, browser } = await aSignedInUser(gatehouse);
  const elsewhere = newBrowser(gatehouse);
  await signIn(gatehouse, elsewhere, person.email);
  const before = Date.now();

  const response = await manager.submit(userPath(person.id), {
    intent: "ban",
    reason: " <b>Spam</b>\r\nagain ",
    duration: "7",
  });

  expect(await toastOf(manager, response)).toBe("User banned. Undo");
  expect(await sessionsOf(gatehouse, person.id)).toEqual([]);
  expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([false, false]);
  const row = await findPerson(gatehouse, person.id);
  expect(row).toMatchObject({ banned: 1, ban_reason: "<b>Spam</b>\nagain", version: 2 });
  expect(row?.ban_expires).toBeGreaterThanOrEqual(before + 7 * DAY_MS);
  expect(row?.ban_expires).toBeLessThanOrEqual(Date.now() + 7 * DAY_MS);
  const until = new Date(row?.ban_expires ?? 0).toISOString();
  expect(await changesOf(gatehouse, person.id)).toEqual([
    { action: "user.banned", actorId: admin.id, details: { reason: "<b>Spam</b>\nagain", until } },
  ]);

  await askForCode(browser, person.email);
  const code = await gatehouse.mailbox.codeFor(person.email);
  const refused = await enterCode(browser, person.email, code);
  expect(locationOf(refused)).toMatch(/^\/login\/error\?error=BANNED_USER/);
  const shown = await (await browser.follow(refused)).text();
  const end = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  expect(readText(shown)).toContain(
    `Reason <b>Spam</b> again Until ${end.format(row?.ban_expires ?? 0)} UTC`,
  );
  expect(shown).not.toContain("<b>Spam");
  expect(await sessionsOf(gatehouse, person.id)).toEqual([]);
  const screen = readText(await (await manager.get(userPath(person.id))).text());
  expect(screen).toContain("Banned until");
  expect(screen).toContain("Reason: <b>Spam</b> again");
});

test.each([
  ["1", 1],
  ["30", 30],
  ["365", 365],
  ["forever", undefined],
])("a ban of %s ends when it says", async (duration, days) => {
  const { id } = await aUser(gatehouse);
  const before = Date.now();

  await manager.submit(userPath(id), { intent: "ban", reason: "  ", duration });

  const row = await findPerson(gatehouse, id);
  expect(row).toMatchObject({ banned: 1, ban_reason: null });
  if (days === undefined) expect(row?.ban_expires).toBeNull();
  else expect(Math.abs((row?.ban_expires ?? 0) - before - days * DAY_MS)).toBeLessThan(60_000);
});

test("a ban until a day ends at the end of that day", async () => {
  const person = await aUser(gatehouse);
  const day = dayIn(40);

  await manager.submit(userPath(person.id), {
    intent: "ban",
    reason: "Until then",
    duration: "date",
    until: day,
  });

  expect(await findPerson(gatehouse, person.id)).toMatchObject({
    banned: 1,
    ban_expires: Date.parse(`${day}T23:59:59.999Z`),
  });
  expect(await changesOf(gatehouse, person.id)).toMatchObject([
    { action: "user.banned", details: { reason: "Until then", until: `${day}T23:59:59.999Z` } },
  ]);
  const dayAs = (dateStyle: "medium" | "long") =>
    new Intl.DateTimeFormat("en-GB", { dateStyle, timeZone: "UTC" }).format(new Date(day));
  const screen = readText(await (await manager.get(userPath(person.id))).text());
  expect(screen).toContain(`Banned until ${dayAs("medium")}, 23:59 UTC`);
  const browser = newBrowser(gatehouse);
  await askForCode(browser, person.email);
  const code = await gatehouse.mailbox.codeFor(person.email);
  const refused = await browser.follow(enterCode(browser, person.email, code));
  expect(readText(await refused.text())).toContain(
    `Reason Until then Until ${dayAs("long")} at 23:59 UTC`,
  );
});

test("a ban may end between tomorrow and five years from now", async () => {
  for (const until of [dayIn(1), inFiveYears()]) {
    const { id } = await aUser(gatehouse);
    await manager.submit(userPath(id), { intent: "ban", duration: "date", until });
    expect((await findPerson(gatehouse, id))?.ban_expires).toBe(
      Date.parse(`${until}T23:59:59.999Z`),
    );
  }
});

test("a picked day is ignored when another duration is chosen", async () => {
  const { id } = await aUser(gatehouse);

  await manager.submit(userPath(id), { intent: "ban", duration: "forever", until: "yesterday" });

  expect(await findPerson(gatehouse, id)).toMatchObject({ banned: 1, ban_expires: null });
});

/** Invalid bans: the field with the error, the posted fields, and the message. */
const WRONG_BANS: [field: string, typed: Record<string, string>, message: string][] = [
  ["reason", { reason: "x".repeat(501), duration: "7" }, "Must be at most 500 characters"],
  ["duration", { reason: "Kept", duration: "2" }, "Choose a duration"],
  ["duration", { reason: "Kept", duration: "" }, "Choose a duration"],
  ["duration", { reason: "Kept" }, "Choose a duration"],
  ["until", { reason: "Kept", duration: "date" }, "Date is required"],
  ["until", { reason: "Kept", duration: "date", until: "" }, "Date is required"],
];
for (const until of ["someday", "2020-01-01", dayIn(0), dayIn(366 * 5 + 1), "2030-02-30"]) {
  const message = `Choose a date from ${dayIn(1)} to ${inFiveYears()}`;
  WRONG_BANS.push(["until", { reason: "Kept", duration: "date", until }, message]);
}

test.each(WRONG_BANS)(
  "the ban's %s of %j is refused beside its field, in an open drawer that keeps the input",
  async (field, typed, message) => {
    const person = await aUser(gatehouse);

    const response = await manager.submit(userPath(person.id), { intent: "ban", ...typed });

    expect(response.status).toBe(400);
    const page = await response.text();
    expect(accessibleError(page, field)).toBe(message);
    expect(typedIn(page, "reason")).toBe(typed.reason);
    if (field === "until") expect(typedIn(page, "duration")).toBe("date");
    const drawers = readPage(page).findAll("alertdialog");
    expect(drawers.map((drawer) => drawer.hasAttribute("popover"))).toEqual([true, false, true]);
    expect(await findPerson(gatehouse, person.id)).toEqual(person);
    expect(await changesOf(gatehouse, person.id)).toEqual([]);
  },
);

test("a reason has up to 500 characters, and a line break counts as one", async () => {
  const { id } = await aUser(gatehouse);

  await manager.submit(userPath(id), {
    intent: "ban",
    duration: "forever",
    reason: `${"x\r\n".repeat(249)}xx`,
  });

  expect(await findPerson(gatehouse, id)).toMatchObject({
    banned: 1,
    ban_reason: `${"x\n".repeat(249)}xx`,
  });
});

test("an unbanned user can sign in again, and the unban is recorded once", async () => {
  const { id, email } = await aUser(gatehouse, { banned: 1, ban_reason: "Spam" });

  const response = await manager.submit(userPath(id), { intent: "unban" });
  expect(await toastOf(manager, response)).toBe("User unbanned. Undo");
  const again = await manager.submit(userPath(id), { intent: "unban" });

  expect(await toastOf(manager, again)).toBe("This user is not banned");
  expect(await findPerson(gatehouse, id)).toMatchObject({
    banned: 0,
    ban_reason: null,
    ban_expires: null,
  });
  expect(await changesOf(gatehouse, id)).toMatchObject([
    { action: "user.unbanned", actorId: admin.id },
  ]);
  const browser = newBrowser(gatehouse);
  await signIn(gatehouse, browser, email);
  expect(await isSignedIn(browser)).toBe(true);
});

test("a ban during a sign-in leaves no session", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const person = await aUser(gatehouse);
    const browser = newBrowser(gatehouse);
    await askForCode(browser, person.email);
    const otp = await gatehouse.mailbox.codeFor(person.email);

    const [signedIn, banned] = await Promise.all([
      browser.api(SIGN_IN, { email: person.email, otp }),
      manager.submit(userPath(person.id), { intent: "ban", duration: round % 2 ? "1" : "forever" }),
    ]);

    expect([200, 403]).toContain(signedIn.status);
    expect(banned.status).toBe(302);
    expect((await findPerson(gatehouse, person.id))?.banned).toBe(1);
    expect(await sessionsOf(gatehouse, person.id)).toEqual([]);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await changesOf(gatehouse, person.id)).toHaveLength(1);
  }
});

test("the database refuses every session of a banned user", async () => {
  const now = Date.now();
  const write = (userId: string) =>
    gatehouse.d1
      .prepare(
        "INSERT INTO session (id, token, user_id, expires_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
      )
      .bind(crypto.randomUUID(), crypto.randomUUID(), userId, now + DAY_MS, now, now)
      .run();
  const forever = await aUser(gatehouse, { banned: 1 });
  const later = await aUser(gatehouse, { banned: 1, ban_expires: now + DAY_MS });
  const once = await aUser(gatehouse, { banned: 1, ban_expires: now - 1 });

  await expect(write(forever.id)).rejects.toThrow("BANNED_USER");
  await expect(write(later.id)).rejects.toThrow("BANNED_USER");
  await write(once.id);
});

test("Undo ends a ban, restores one that was ended, and gives the former roles back", async () => {
  const person = await aUser(gatehouse, { role: "support" });
  const ban = { intent: "ban", reason: "Spam", duration: "date", until: dayIn(3) };
  const banned = await manager.submit(userPath(person.id), ban);
  const before = await findPerson(gatehouse, person.id);
  await undo(manager, banned);
  expect(await findPerson(gatehouse, person.id)).toMatchObject({ banned: 0 });

  await manager.submit(userPath(person.id), ban);
  await undo(manager, await manager.submit(userPath(person.id), { intent: "unban" }));
  const { ban_reason, ban_expires } = before ?? {};
  expect(await findPerson(gatehouse, person.id)).toMatchObject({
    banned: 1,
    ban_reason,
    ban_expires,
  });

  const version = String((await findPerson(gatehouse, person.id))?.version);
  const { name, email } = person;
  await undo(
    manager,
    await manager.submit(userPath(person.id, "/update"), { name, email, role: "auditor", version }),
  );
  expect(await findPerson(gatehouse, person.id)).toMatchObject({ role: "support" });
});
