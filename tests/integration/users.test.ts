import { afterAll, expect, test } from "vitest";
import { encodeCursor } from "../../app/lists/list-params.ts";
import { auditOf } from "../support/audit.ts";
import {
  accessibleError,
  alertsOf,
  type Browser,
  locationOf,
  newBrowser,
  readText,
} from "../support/client.ts";
import { openList, walkList } from "../support/lists.ts";
import { readPage, textOf } from "../support/page.ts";
import {
  anAdmin,
  aSignedInUser,
  askForCode,
  aUser,
  enterCode,
  manyUsers,
  newEmail,
  type Person,
  signIn,
} from "../support/people.ts";
import { RACE_ROUNDS } from "../support/thoroughness.ts";
import { type Gatehouse, startGatehouse } from "../support/worker.ts";

const LIST = "/manager/users";
const NEW = "/manager/users/new";
const SIGN_IN = "/api/auth/sign-in/email-otp";
const DAY_MS = 86_400_000;
const AT_ONCE = 50;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { user: admin, browser: manager } = await anAdmin(gatehouse);
const { browser: otherManager } = await anAdmin(gatehouse);
const { user: reader, browser: user } = await aSignedInUser(gatehouse);

function pathOf(id: string, rest = ""): string {
  return `/manager/users/${id}${rest}`;
}

/** Returns the day so many days from today, in UTC. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

function inFiveYears(): string {
  const today = new Date();
  today.setUTCFullYear(today.getUTCFullYear() + 5);
  return today.toISOString().slice(0, 10);
}

function findPerson(id: string, of: Pick<Gatehouse, "d1"> = gatehouse) {
  return of.d1.prepare("SELECT * FROM user WHERE id = ?").bind(id).first<Person>();
}

async function countPeople(): Promise<number> {
  const row = await gatehouse.d1.prepare("SELECT count(*) AS n FROM user").first<{ n: number }>();
  return row?.n ?? -1;
}

async function sessionsOf(userId: string): Promise<string[]> {
  const { results } = await gatehouse.d1
    .prepare("SELECT id FROM session WHERE user_id = ? ORDER BY created_at, id")
    .bind(userId)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Returns the audit events about a user that another user caused. */
async function changesOf(userId: string) {
  const events = await auditOf(gatehouse, userId);
  return events.filter(({ actorId }) => actorId !== userId);
}

function typedIn(page: string, field: string): string | undefined {
  return readPage(page).field(field)?.value;
}

async function versionOn(response: Response): Promise<string> {
  const version = typedIn(await response.text(), "version");
  if (version === undefined) throw new Error("The form has no version");
  return version;
}

/** Returns the toast of the page after a form, as it is shown without JavaScript. */
async function toastOf(browser: Browser, response: Response): Promise<string> {
  const page = await (await browser.follow(response)).text();
  return textOf(readPage(page).noscript());
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get("/app")).status === 200;
}

/** A list of 230 people and its manager; each sort order differs. */
const crowd = await startGatehouse();
afterAll(() => crowd[Symbol.asyncDispose]());
const { browser: keeper, user: keeperUser } = await anAdmin(crowd, {
  name: "Keeper",
  created_at: 1,
});
const PEOPLE = await manyUsers(
  crowd,
  Array.from({ length: 230 }, (_, index) => ({
    name: `${index % 2 ? "person" : "PERSON"} ${String((index * 53) % 230).padStart(3, "0")}`,
    email: `p${(index * 91) % 230}@crowd.example`,
    created_at: 1_600_000_000_000 + (index % 9) * DAY_MS,
    // A third has never been active, and many share a last visit.
    last_seen_at: index % 3 ? 1_700_000_000_000 + (index % 5) * 1_000 : null,
  })),
);

/** Waits until the keeper's own visit is written, so that the list does not change any more. */
async function settle(): Promise<Person[]> {
  for (;;) {
    await keeper.get(LIST);
    const row = await findPerson(keeperUser.id, crowd);
    if (row?.last_seen_at) return [...PEOPLE, row];
  }
}

test.each([
  ["", "created", "desc"],
  ["?sort=created&direction=asc", "created", "asc"],
  ["?sort=name&direction=asc", "name", "asc"],
  ["?sort=name&direction=desc", "name", "desc"],
  ["?sort=email&direction=asc", "email", "asc"],
  ["?sort=email&direction=desc", "email", "desc"],
  ["?sort=seen&direction=asc", "seen", "asc"],
  ["?sort=seen&direction=desc", "seen", "desc"],
  ["?sort=password&direction=up", "created", "desc"],
] as const)("the list %j shows each user once, by %s %s", async (search, sort, direction) => {
  const keyOf = (person: Person) =>
    ({
      created: person.created_at,
      name: person.name.toLowerCase(),
      email: person.email,
      // "Never" sorts before every time.
      seen: person.last_seen_at ?? 0,
    })[sort];
  const sign = direction === "asc" ? 1 : -1;
  const all = await settle();

  const ids = await walkList(keeper, LIST + search);

  const expected = all.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return sign * (a < b || (a === b && one.id < other.id) ? -1 : 1);
  });
  expect(ids).toEqual(expected.map(({ id }) => id));
});

test("Load more adds pages up to ten, then continues behind a cursor", async () => {
  const tenth = await openList(keeper, `${LIST}?sort=seen&direction=asc&pages=10`);
  const next = await openList(keeper, tenth.more ?? "");
  const last = await openList(keeper, next.more ?? "");

  expect([tenth.ids.length, next.ids.length, last.ids.length]).toEqual([200, 20, 31]);
  expect(tenth.more).toMatch(/sort=seen&direction=asc&after=[\w-]+$/);
  expect(last.ids.slice(0, 20)).toEqual(next.ids);
  expect(last.more).toBeUndefined();
  expect(tenth.text).toContain("Showing 200 of 231");
});

test("a search finds names and e-mails, and shows the number of results", async () => {
  const byName = await openList(keeper, `${LIST}?searchTerm=PERSON+00`);
  const byEmail = await openList(keeper, `${LIST}?searchTerm=p22%40crowd`);
  const byLetter = await walkList(keeper, `${LIST}?searchTerm=%40&sort=seen`);
  const none = await openList(keeper, `${LIST}?searchTerm=person%25`);

  expect(byName.ids).toHaveLength(10);
  expect(byName.text).toContain('10 results for "PERSON 00"');
  expect(byEmail.ids).toEqual([PEOPLE.find(({ email }) => email.startsWith("p22@"))?.id]);
  expect(new Set(byLetter).size).toBe(231);
  expect(byLetter).toHaveLength(231);
  expect(none.text).toContain('No results for "person%"');
});

test("a search finds neither ids nor roles", async () => {
  const { ids } = await openList(keeper, `${LIST}?searchTerm=${keeperUser.id}`);
  const { ids: byRole } = await openList(keeper, `${LIST}?searchTerm=admin`);

  expect([ids, byRole]).toEqual([[], []]);
});

test("a search handles diacritics, scripts and punctuation", async () => {
  const zoe = await aUser(gatehouse, { name: "Zoë Čapková" });
  const layla = await aUser(gatehouse, { name: "ليلى حداد" });
  const o = await aUser(gatehouse, { name: `O'Neill "The_100%"` });

  for (const [searchTerm, id] of [
    ["zoe capk", zoe.id],
    ["ZOË", zoe.id],
    ["يلى", layla.id],
    ["ح", layla.id],
    ["o'n", o.id],
    ['"The_', o.id],
    ["%", o.id],
    ['%"', o.id],
  ]) {
    const search = new URLSearchParams({ searchTerm: searchTerm ?? "" });
    expect((await openList(manager, `${LIST}?${search}`)).ids, searchTerm).toEqual([id]);
  }
});

test("filters combine, and invalid values are ignored", async () => {
  await using own = await startGatehouse();
  const { user: owner, browser } = await anAdmin(own, { created_at: Date.UTC(2020, 0, 1) });
  const add = (name: string, overrides: Partial<Person> = {}) => aUser(own, { name, ...overrides });
  const day = Date.UTC(2024, 4, 6);
  const ids: Record<string, string> = {
    owner: owner.id,
    active: (await add("Active", { created_at: day })).id,
    both: (await add("Both", { role: "user,admin", created_at: day + DAY_MS - 1 })).id,
    banned: (await add("Banned", { banned: 1, created_at: day + DAY_MS })).id,
    once: (await add("Once", { banned: 1, ban_expires: Date.now() - 1_000 })).id,
    later: (await add("Later", { banned: 1, ban_expires: Date.now() + DAY_MS })).id,
    newcomer: (await add("", { onboarded_at: null })).id,
    unverified: (await add("Unverified", { email_verified: 0 })).id,
    neither: (await add("", { onboarded_at: null, email_verified: 0 })).id,
    bannedNeither: (await add("", { banned: 1, onboarded_at: null, email_verified: 0 })).id,
  };
  const all = Object.keys(ids);

  for (const [search, names] of [
    ["role=admin", ["owner", "both"]],
    ["role=user", all.filter((name) => !["owner", "both"].includes(name))],
    ["status=active", ["owner", "active", "both", "once"]],
    ["status=banned", ["banned", "later", "bannedNeither"]],
    ["status=not-onboarded", ["newcomer", "neither"]],
    ["status=unverified", ["unverified"]],
    ["status=never-signed-in", all.filter((name) => name !== "owner")],
    ["status=never-signed-in&role=admin", ["both"]],
    ["status=never-signed-in&searchTerm=bann", ["banned"]],
    ["role=admin&status=active", ["owner", "both"]],
    ["role=admin&status=banned", []],
    ["role=user&status=active&searchTerm=a", ["active"]],
    ["from=2024-05-06&to=2024-05-06", ["active", "both"]],
    ["to=2024-05-06", ["owner", "active", "both"]],
    ["from=2024-05-07&status=banned", ["banned", "later", "bannedNeither"]],
    ["role=&status=", all],
    ["role=king&status=dead", all],
    ["role=__proto__&status=constructor", all],
  ] as const) {
    const shown = await openList(browser, `${LIST}?${search}`);
    expect(shown.ids.toSorted(), search).toEqual(names.map((name) => ids[name]).toSorted());
    if (names.length > 0 && !search.includes("searchTerm")) {
      expect(shown.text, search).toContain(`Showing ${names.length} of ${names.length}`);
    }
  }
});

test("each user has one status, the same in the badge and in the filter", async () => {
  await using own = await startGatehouse();
  const { browser } = await anAdmin(own);
  for (const banned of [0, 1] as const) {
    for (const onboarded_at of [null, 1]) {
      for (const email_verified of [0, 1] as const) {
        for (const ban_expires of [null, 1]) {
          await aUser(own, { banned, onboarded_at, email_verified, ban_expires });
        }
      }
    }
  }

  const found = await Promise.all(
    ["Active", "Banned", "Not onboarded", "Unverified"].map(async (badge) => {
      const status = badge.toLowerCase().replace(" ", "-");
      const { ids, text } = await openList(browser, `${LIST}?status=${status}`);
      // One more in the filter's own list.
      expect(text.split(badge)).toHaveLength(ids.length + 2);
      return ids;
    }),
  );

  expect(found.map((ids) => ids.length)).toEqual([4, 4, 6, 3]);
  expect(new Set(found.flat()).size).toBe(17);
});

test("a malformed day is ignored, and the page says so", async () => {
  for (const day of [
    "yesterday",
    "2024-13-01",
    "2024-02-30",
    "20240101",
    "-1",
    "2024-01-01T00:00",
  ]) {
    const { status, text } = await openList(keeper, `${LIST}?from=${day}`);
    expect(status).toBe(200);
    expect(text).toContain("That date could not be read, so it was ignored.");
    expect(text).toContain("of 231");
  }
});

test("Load more keeps the filters", async () => {
  const seen = await walkList(keeper, `${LIST}?role=user&sort=seen&direction=desc`);

  expect(seen).toHaveLength(230);
  expect(new Set(seen)).toEqual(new Set(PEOPLE.map(({ id }) => id)));
});

test("a malformed cursor or a term that is too long causes no error, and the page says so", async () => {
  const wrong = await openList(keeper, `${LIST}?after=x`);
  const long = await openList(keeper, `${LIST}?searchTerm=${"p".repeat(201)}`);

  expect([wrong.status, long.status]).toEqual([200, 200]);
  expect(wrong.text).toContain("That place in the list no longer exists");
  expect(long.text).toContain("Your search was too long and was cut to 200 characters.");
  for (const value of ["x", 5, null, 9e99]) {
    for (const sort of ["name", "email", "created", "seen"]) {
      const after = encodeCursor({ value, id: "x" });
      expect((await openList(keeper, `${LIST}?after=${after}&sort=${sort}`)).status).toBe(200);
    }
  }
});

test("a created user can sign in, is asked for a name, and is recorded once", async () => {
  const email = newEmail("Fatima");

  const response = await manager.submit(NEW, {
    name: " Fatima  K ",
    email: ` ${email} `,
    role: "user",
  });

  const id = locationOf(response)?.split("/").at(-1) ?? "";
  expect(await toastOf(manager, response)).toBe("User created.");
  expect(await findPerson(id)).toMatchObject({
    name: "Fatima K",
    email: email.toLowerCase(),
    email_verified: 1,
    role: "user",
    onboarded_at: null,
    version: 1,
  });
  expect(await auditOf(gatehouse, id)).toMatchObject([
    { action: "user.created", actorId: admin.id },
  ]);
  expect((await openList(manager, `${LIST}?searchTerm=fatima+k`)).ids).toEqual([id]);
  const browser = newBrowser(gatehouse);
  await signIn(gatehouse, browser, email.toLowerCase());
  expect(locationOf(await browser.get("/app"))).toBe("/onboarding?redirect=%2Fapp");
});

test.each([
  ["name", "", "Name is required"],
  ["name", "  ", "Name is required"],
  ["name", "1234", "Name is invalid"],
  ["name", "x".repeat(101), "Must be at most 100 characters"],
  ["email", "", "Email is required"],
  ["email", "  ", "Email is required"],
  ["email", "nobody", "Email is invalid"],
  ["email", "a@b.example\r\nBcc: c@d.example", "Email is invalid"],
  ["role", "king", "Invalid option, expected one of admin, user"],
  ["role", "", "Role is required"],
])(
  "the %s %j is refused beside its field, and the input is kept",
  async (field, value, message) => {
    const before = await aUser(gatehouse);
    const count = await countPeople();
    const typed = { name: "Typed Name", email: newEmail("typed"), role: "admin", [field]: value };

    for (const response of [
      await manager.submit(NEW, typed),
      await manager.submit(pathOf(before.id, "/update"), { ...typed, version: "1" }),
    ]) {
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(accessibleError(page, field)).toBe(message);
      if (field !== "name") expect(typedIn(page, "name")).toBe("Typed Name");
      if (field !== "email") expect(typedIn(page, "email")).toBe(typed.email);
      if (field !== "role") expect(typedIn(page, "role")).toBe("admin");
    }
    expect(await findPerson(before.id)).toEqual(before);
    expect(await countPeople()).toBe(count);
  },
);

test("a taken e-mail is refused in any spelling", async () => {
  const taken = await aUser(gatehouse);
  const before = await aUser(gatehouse);

  for (const email of [taken.email, ` ${taken.email.toUpperCase()} `]) {
    for (const response of [
      await manager.submit(NEW, { name: "Other", email, role: "user" }),
      await manager.submit(pathOf(before.id, "/update"), {
        name: "Other",
        email,
        role: "user",
        version: "1",
      }),
    ]) {
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(accessibleError(page, "email")).toBe("Email already used");
      expect(typedIn(page, "name")).toBe("Other");
    }
  }
  expect(await findPerson(before.id)).toEqual(before);
  expect(await changesOf(before.id)).toEqual([]);
});

test("a change is saved, verifies the new e-mail, and is recorded once with before and after", async () => {
  const before = await aUser(gatehouse, { email_verified: 0, created_at: 1, updated_at: 1 });
  const { id, name, email } = before;
  const after = { name: "New Name", email: newEmail("new"), role: "admin" };
  const update = pathOf(id, "/update");

  const response = await manager.submit(update, {
    ...after,
    version: await versionOn(await manager.get(update)),
  });

  expect(locationOf(response)).toBe(pathOf(id));
  expect(await toastOf(manager, response)).toBe("User saved.");
  expect(await findPerson(id)).toMatchObject({
    ...after,
    email_verified: 1,
    version: 2,
    created_at: 1,
  });
  expect(await changesOf(id)).toMatchObject([
    {
      action: "user.updated",
      actorId: admin.id,
      details: { before: { name, email, role: "user" }, after },
    },
  ]);
  expect((await openList(manager, `${LIST}?searchTerm=${email}`)).ids).toEqual([]);
  expect((await openList(manager, `${LIST}?searchTerm=${after.email}`)).ids).toEqual([id]);
});

test("a change that keeps the e-mail does not verify it, and keeps further roles", async () => {
  const { id, email } = await aUser(gatehouse, { email_verified: 0, role: "admin,user" });

  await manager.submit(pathOf(id, "/update"), {
    name: "Renamed",
    email,
    role: "admin",
    version: "1",
  });

  expect(await findPerson(id)).toMatchObject({
    name: "Renamed",
    email_verified: 0,
    role: "admin,user",
  });
});

test("a conflicting change answers 409 with both versions, and the next try succeeds", async () => {
  const { id } = await aUser(gatehouse);
  const update = pathOf(id, "/update");
  const version = await versionOn(await manager.get(update));
  const theirs = { name: "Their Name", email: newEmail("theirs"), role: "admin" };
  const mine = { name: "My Name", email: newEmail("mine"), role: "user" };
  await otherManager.submit(update, { ...theirs, version });

  const refused = await manager.submit(update, { ...mine, version });
  const page = await refused.text();

  expect(refused.status).toBe(409);
  const [notice = ""] = alertsOf(page);
  expect(notice).toContain("Changed by someone else");
  expect(notice).toContain(`Name Their Name Email ${theirs.email} Role Admin`);
  expect([typedIn(page, "name"), typedIn(page, "email")]).toEqual([mine.name, mine.email]);
  expect(typedIn(page, "role")).toBe("user");
  expect(await findPerson(id)).toMatchObject({ ...theirs, version: 2 });

  const saved = await manager.submit(update, { ...mine, version: typedIn(page, "version") ?? "" });
  expect(locationOf(saved)).toBe(pathOf(id));
  expect(await findPerson(id)).toMatchObject({ ...mine, version: 3 });
  expect(await changesOf(id)).toHaveLength(2);
});

test("another error in the form does not hide a conflict", async () => {
  const { id, email } = await aUser(gatehouse);
  const update = pathOf(id, "/update");
  const version = await versionOn(await manager.get(update));
  await otherManager.submit(update, { name: "Theirs", email, role: "user", version });

  const refused = await manager.submit(update, { name: "", email, role: "user", version });
  const again = await versionOn(refused);
  const response = await manager.submit(update, {
    name: "Mine",
    email,
    role: "user",
    version: again,
  });

  expect([refused.status, response.status]).toEqual([400, 409]);
  expect((await findPerson(id))?.name).toBe("Theirs");
});

test("managers cannot change their own role, but their name", async () => {
  const { user: self, browser } = await anAdmin(gatehouse);
  const update = pathOf(self.id, "/update");
  const { email } = self;

  const refused = await browser.submit(update, { name: "Me", email, role: "user", version: "1" });
  expect(refused.status).toBe(400);
  expect(alertsOf(await refused.text())).toContain("You cannot change your own role.");
  expect((await findPerson(self.id))?.role).toBe("admin");

  const saved = await browser.submit(update, { name: "Me", email, role: "admin", version: "1" });
  expect(locationOf(saved)).toBe(pathOf(self.id));
  expect(await findPerson(self.id)).toMatchObject({ name: "Me", role: "admin" });
});

test("managers cannot ban or delete themselves", async () => {
  const { user: self, browser } = await anAdmin(gatehouse);

  const changes: Record<string, string>[] = [
    { intent: "ban", duration: "1" },
    { intent: "delete" },
  ];
  for (const fields of changes) {
    const response = await browser.submit(pathOf(self.id), fields);
    expect(await toastOf(browser, response)).toBe(
      fields.intent === "ban" ? "You can't ban yourself" : "You can't remove yourself",
    );
  }
  expect(await findPerson(self.id)).toMatchObject({ banned: 0, version: 1 });
  const screen = await (await browser.get(pathOf(self.id))).text();
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

  const response = await manager.submit(pathOf(person.id), {
    intent: "ban",
    reason: " <b>Spam</b>\r\nagain ",
    duration: "7",
  });

  expect(await toastOf(manager, response)).toBe("User banned.");
  expect(await sessionsOf(person.id)).toEqual([]);
  expect([await isSignedIn(browser), await isSignedIn(elsewhere)]).toEqual([false, false]);
  const row = await findPerson(person.id);
  expect(row).toMatchObject({ banned: 1, ban_reason: "<b>Spam</b>\nagain", version: 2 });
  expect(row?.ban_expires).toBeGreaterThanOrEqual(before + 7 * DAY_MS);
  expect(row?.ban_expires).toBeLessThanOrEqual(Date.now() + 7 * DAY_MS);
  const until = new Date(row?.ban_expires ?? 0).toISOString();
  expect(await changesOf(person.id)).toEqual([
    { action: "user.banned", actorId: admin.id, details: { reason: "<b>Spam</b>\nagain", until } },
  ]);

  await askForCode(browser, person.email);
  const code = await gatehouse.mailbox.codeFor(person.email);
  const refused = await enterCode(browser, person.email, code);
  expect(locationOf(refused)).toBe("/login/error?error=BANNED_USER");
  const shown = await (await browser.follow(refused)).text();
  const end = new Intl.DateTimeFormat("en", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  expect(readText(shown)).toContain(
    `Reason <b>Spam</b> again Until ${end.format(row?.ban_expires ?? 0)} UTC`,
  );
  expect(shown).not.toContain("<b>Spam");
  expect(await sessionsOf(person.id)).toEqual([]);
  const screen = readText(await (await manager.get(pathOf(person.id))).text());
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

  await manager.submit(pathOf(id), { intent: "ban", reason: "  ", duration });

  const row = await findPerson(id);
  expect(row).toMatchObject({ banned: 1, ban_reason: null });
  if (days === undefined) expect(row?.ban_expires).toBeNull();
  else expect(Math.abs((row?.ban_expires ?? 0) - before - days * DAY_MS)).toBeLessThan(60_000);
});

test("a ban until a day ends at the end of that day", async () => {
  const person = await aUser(gatehouse);
  const day = dayIn(40);

  await manager.submit(pathOf(person.id), {
    intent: "ban",
    reason: "Until then",
    duration: "date",
    until: day,
  });

  expect(await findPerson(person.id)).toMatchObject({
    banned: 1,
    ban_expires: Date.parse(`${day}T23:59:59.999Z`),
  });
  expect(await changesOf(person.id)).toMatchObject([
    { action: "user.banned", details: { reason: "Until then", until: `${day}T23:59:59.999Z` } },
  ]);
  const longDay = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });
  const end = `${longDay.format(new Date(day))} at 11:59 PM UTC`;
  const screen = readText(await (await manager.get(pathOf(person.id))).text());
  expect(screen).toContain(`Banned until ${end}`);
  const browser = newBrowser(gatehouse);
  await askForCode(browser, person.email);
  const code = await gatehouse.mailbox.codeFor(person.email);
  const refused = await browser.follow(enterCode(browser, person.email, code));
  expect(readText(await refused.text())).toContain(`Reason Until then Until ${end}`);
});

test("a ban may end between tomorrow and five years from now", async () => {
  for (const until of [dayIn(1), inFiveYears()]) {
    const { id } = await aUser(gatehouse);
    await manager.submit(pathOf(id), { intent: "ban", duration: "date", until });
    expect((await findPerson(id))?.ban_expires).toBe(Date.parse(`${until}T23:59:59.999Z`));
  }
});

test("a picked day is ignored when another duration is chosen", async () => {
  const { id } = await aUser(gatehouse);

  await manager.submit(pathOf(id), { intent: "ban", duration: "forever", until: "yesterday" });

  expect(await findPerson(id)).toMatchObject({ banned: 1, ban_expires: null });
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

    const response = await manager.submit(pathOf(person.id), { intent: "ban", ...typed });

    expect(response.status).toBe(400);
    const page = await response.text();
    expect(accessibleError(page, field)).toBe(message);
    expect(typedIn(page, "reason")).toBe(typed.reason);
    if (field === "until") expect(typedIn(page, "duration")).toBe("date");
    const drawers = readPage(page).findAll("alertdialog");
    expect(drawers.map((drawer) => drawer.hasAttribute("popover"))).toEqual([true, false, true]);
    expect(await findPerson(person.id)).toEqual(person);
    expect(await changesOf(person.id)).toEqual([]);
  },
);

test("a reason has up to 500 characters, and a line break counts as one", async () => {
  const { id } = await aUser(gatehouse);

  await manager.submit(pathOf(id), {
    intent: "ban",
    duration: "forever",
    reason: `${"x\r\n".repeat(249)}xx`,
  });

  expect(await findPerson(id)).toMatchObject({ banned: 1, ban_reason: `${"x\n".repeat(249)}xx` });
});

test("an unbanned user can sign in again, and the unban is recorded once", async () => {
  const { id, email } = await aUser(gatehouse, { banned: 1, ban_reason: "Spam" });

  const response = await manager.submit(pathOf(id), { intent: "unban" });
  expect(await toastOf(manager, response)).toBe("User unbanned.");
  const again = await manager.submit(pathOf(id), { intent: "unban" });

  expect(await toastOf(manager, again)).toBe("This user is not banned.");
  expect(await findPerson(id)).toMatchObject({ banned: 0, ban_reason: null, ban_expires: null });
  expect(await changesOf(id)).toMatchObject([{ action: "user.unbanned", actorId: admin.id }]);
  const browser = newBrowser(gatehouse);
  await signIn(gatehouse, browser, email);
  expect(await isSignedIn(browser)).toBe(true);
});

test("deleting a user ends their sessions, and is recorded once", async () => {
  const { user: person, browser } = await aSignedInUser(gatehouse);
  const { id } = person;

  const response = await manager.submit(pathOf(id), { intent: "delete" });

  expect(locationOf(response)).toBe(LIST);
  expect(await toastOf(manager, response)).toBe("User deleted.");
  expect(await findPerson(id)).toBeNull();
  expect(await sessionsOf(id)).toEqual([]);
  expect(await isSignedIn(browser)).toBe(false);
  expect(await changesOf(id)).toEqual([
    {
      action: "user.deleted",
      actorId: admin.id,
      details: { name: person.name, email: person.email },
    },
  ]);
  expect((await manager.get(pathOf(id))).status).toBe(404);
  expect((await openList(manager, `${LIST}?searchTerm=${person.email}`)).ids).toEqual([]);

  expect((await manager.submit(pathOf(id), { intent: "delete" })).status).toBe(404);
  expect(await changesOf(id)).toHaveLength(1);
});

test("the sole owner of an organization with other members cannot be deleted, with a message", async () => {
  const owner = await aUser(gatehouse);
  const other = await aUser(gatehouse);
  const join = (userId: string, role: string) =>
    gatehouse.d1
      .prepare(
        "INSERT INTO member (id, organization_id, user_id, role, created_at) VALUES (?, 'org', ?, ?, 1)",
      )
      .bind(crypto.randomUUID(), userId, role);
  await gatehouse.d1.batch([
    gatehouse.d1.prepare(
      "INSERT INTO organization (id, name, slug, created_at) VALUES ('org', 'Org', 'org', 1)",
    ),
    join(owner.id, "owner"),
    join(other.id, "member"),
  ]);

  const response = await manager.submit(pathOf(owner.id), { intent: "delete" });

  expect(await toastOf(manager, response)).toBe(
    "This user is the only owner of an organization others belong to.",
  );
  expect(await findPerson(owner.id)).toEqual(owner);
  expect(await changesOf(owner.id)).toEqual([]);
});

test("a manager ends one session or all, each recorded once", async () => {
  const { user: person, browser: first } = await aSignedInUser(gatehouse);
  const second = newBrowser(gatehouse);
  const third = newBrowser(gatehouse);
  await signIn(gatehouse, second, person.email);
  await signIn(gatehouse, third, person.email);
  const page = await (await manager.get(pathOf(person.id))).text();
  expect(page.match(/name="session"/g)).toHaveLength(3);
  expect(readText(page)).toContain("Firefox on Linux");
  const [session = ""] = await sessionsOf(person.id);

  const one = await manager.submit(pathOf(person.id), { intent: "revoke", session });
  expect(await toastOf(manager, one)).toBe("Signed out.");
  expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
  expect(await changesOf(person.id)).toMatchObject([
    { action: "session.revoked", actorId: admin.id },
  ]);

  // A session that has already ended, and a session of another user.
  await manager.submit(pathOf(person.id), { intent: "revoke", session });
  const [foreign = ""] = await sessionsOf(reader.id);
  await manager.submit(pathOf(person.id), { intent: "revoke", session: foreign });
  expect(await isSignedIn(user)).toBe(true);
  expect(await changesOf(person.id)).toHaveLength(1);

  await manager.submit(pathOf(person.id), { intent: "revoke-all" });
  expect([await isSignedIn(second), await isSignedIn(third)]).toEqual([false, false]);
  await manager.submit(pathOf(person.id), { intent: "revoke-all" });
  expect((await changesOf(person.id)).map(({ action }) => action)).toEqual([
    "session.revoked",
    "session.revoked_all",
  ]);
});

test("a user's page contains no session token, and shows markup as text", async () => {
  const { user: person } = await aSignedInUser(gatehouse, {
    name: `<img src=x onerror="alert(1)">`,
  });
  const { results } = await gatehouse.d1
    .prepare("SELECT token FROM session WHERE user_id = ?")
    .bind(person.id)
    .all<{ token: string }>();

  for (const path of [
    pathOf(person.id),
    `${pathOf(person.id)}.data`,
    `${LIST}?searchTerm=onerror`,
  ]) {
    const page = await (await manager.get(path)).text();
    expect(page).toContain("onerror");
    expect(page).not.toContain(results[0]?.token);
    if (!path.endsWith(".data")) expect(page).not.toContain("<img src=x");
  }
});

test("an unknown user answers 404, and nothing changes", async () => {
  for (const id of ["nothing", crypto.randomUUID(), "%00", "%D9%85", "'", "x".repeat(500)]) {
    const fields = { name: "New", email: newEmail(), role: "user", version: "1" };
    const statuses = [
      (await manager.get(pathOf(id))).status,
      (await manager.get(pathOf(id, "/update"))).status,
      (await manager.submit(pathOf(id, "/update"), fields)).status,
      (await manager.submit(pathOf(id), { intent: "unban" })).status,
    ];
    expect(statuses).toEqual(statuses.map(() => 404));
    const commands: Record<string, string>[] = [
      { intent: "ban", duration: "1" },
      { intent: "unban" },
      { intent: "delete" },
      { intent: "revoke", session: "nothing" },
      { intent: "revoke-all" },
      { intent: "impersonate", impersonationReason: "Because" },
    ];
    for (const command of commands) {
      for (const path of [pathOf(id), `${pathOf(id)}.data`]) {
        expect((await manager.submit(path, command)).status).toBe(404);
      }
    }
    expect(await auditOf(gatehouse, decodeURIComponent(id))).toEqual([]);
  }
});

test("users get 403 everywhere, and nothing changes", async () => {
  const { user: person, browser } = await aSignedInUser(gatehouse);
  const [session = ""] = await sessionsOf(person.id);
  const before = await findPerson(person.id);
  const fields = { name: "New", email: newEmail(), role: "admin", version: "1" };
  const reads = [LIST, NEW, pathOf(person.id), pathOf(person.id, "/update"), pathOf(reader.id)];
  const intents: Record<string, string>[] = [
    { intent: "ban", duration: "1" },
    { intent: "unban" },
    { intent: "delete" },
    { intent: "revoke", session },
    { intent: "revoke-all" },
  ];

  const responses = [
    ...(await Promise.all(reads.flatMap((path) => [user.get(path), user.get(`${path}.data`)]))),
    ...(await Promise.all(
      [NEW, pathOf(person.id, "/update"), pathOf(reader.id, "/update")].flatMap((path) => [
        user.submit(path, fields),
        user.submit(`${path}.data`, fields),
      ]),
    )),
    ...(await Promise.all(
      intents.flatMap((intent) => [
        user.submit(pathOf(person.id), intent),
        user.submit(`${pathOf(person.id)}.data`, intent),
      ]),
    )),
  ];

  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 403));
  expect(await findPerson(person.id)).toMatchObject({
    role: "user",
    banned: 0,
    version: before?.version,
  });
  expect((await findPerson(reader.id))?.role).toBe("user");
  expect(await isSignedIn(browser)).toBe(true);
  expect(await changesOf(person.id)).toEqual([]);
});

test("no page makes more than two round trips to the database", async () => {
  const { user: person } = await aSignedInUser(gatehouse);

  for (const path of [
    LIST,
    `${LIST}?searchTerm=a&role=user&status=active&sort=seen&pages=2`,
    `${LIST}?searchTerm=amina&from=2020-01-01`,
    NEW,
    pathOf(person.id),
    pathOf(person.id, "/update"),
  ]) {
    for (const response of [
      await manager.get(path),
      await manager.get(path.replace(/\?|$/, ".data$&")),
    ]) {
      expect(response.status).toBe(200);
      const timing = response.headers.get("server-timing") ?? "";
      const [, count] = /d1;desc="(\d+) round trips"/.exec(timing) ?? [];
      expect(Number(count), path).toBeLessThanOrEqual(2);
    }
  }
});

test("50 creations with one e-mail at once make one user", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const email = newEmail("raced");

    const responses = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        (index % 2 ? manager : otherManager).submit(NEW, {
          name: "Raced",
          email: index % 3 ? email : email.toUpperCase(),
          role: "user",
        }),
      ),
    );

    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(AT_ONCE - 1);
    const { results } = await gatehouse.d1
      .prepare("SELECT id FROM user WHERE email = ?")
      .bind(email)
      .all<{ id: string }>();
    expect(results).toHaveLength(1);
    expect(await auditOf(gatehouse, results[0]?.id ?? "")).toHaveLength(1);
  }
});

test("of two managers who edit at once one succeeds and the other gets a conflict", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const { id, email } = await aUser(gatehouse);

    const responses = await Promise.all(
      [manager, otherManager].map((browser, index) =>
        browser.submit(pathOf(id, "/update"), {
          name: index ? "Other" : "One",
          email,
          role: "user",
          version: "1",
        }),
      ),
    );

    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([302, 409]);
    const name = statuses[0] === 302 ? "One" : "Other";
    expect(await findPerson(id)).toMatchObject({ name, version: 2 });
    expect(await changesOf(id)).toHaveLength(1);
  }
});

test("a ban during a sign-in leaves no session", async () => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    const person = await aUser(gatehouse);
    const browser = newBrowser(gatehouse);
    await askForCode(browser, person.email);
    const otp = await gatehouse.mailbox.codeFor(person.email);

    const [signedIn, banned] = await Promise.all([
      browser.api(SIGN_IN, { email: person.email, otp }),
      manager.submit(pathOf(person.id), { intent: "ban", duration: round % 2 ? "1" : "forever" }),
    ]);

    expect([200, 403]).toContain(signedIn.status);
    expect(banned.status).toBe(302);
    expect((await findPerson(person.id))?.banned).toBe(1);
    expect(await sessionsOf(person.id)).toEqual([]);
    expect(await isSignedIn(browser)).toBe(false);
    expect(await changesOf(person.id)).toHaveLength(1);
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

/** Two admins on a product without others. */
const duel = await startGatehouse();
afterAll(() => duel[Symbol.asyncDispose]());
const one = await anAdmin(duel);
const other = await anAdmin(duel);
const { results: sessions } = await duel.d1.prepare("SELECT * FROM session").all();

/** Restores both admins and their sessions. */
async function reinstate(
  changes = "role = 'admin', banned = 0, ban_expires = NULL",
): Promise<void> {
  const insert = (table: "user" | "session", row: object, otherwise: string) =>
    duel.d1
      .prepare(
        `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${Object.keys(row)
          .map(() => "?")
          .join(", ")}) ON CONFLICT (id) DO ${otherwise}`,
      )
      .bind(...Object.values(row));
  await duel.d1.batch([
    // The database generates `kind`.
    ...[one, other].map(({ user: { kind: _, ...row } }) =>
      insert("user", row, `UPDATE SET ${changes}, version = 1`),
    ),
    ...sessions.map((row) => insert("session", row, "NOTHING")),
  ]);
}

type Admin = Awaited<ReturnType<typeof anAdmin>>;

const ATTACKS = {
  demote: (by: Admin, on: Admin) =>
    by.browser.submit(pathOf(on.user.id, "/update"), {
      name: on.user.name,
      email: on.user.email,
      role: "user",
      version: "1",
    }),
  ban: (by: Admin, on: Admin) =>
    by.browser.submit(pathOf(on.user.id), { intent: "ban", duration: "forever" }),
  delete: (by: Admin, on: Admin) => by.browser.submit(pathOf(on.user.id), { intent: "delete" }),
};

async function countAdmins(): Promise<number> {
  const row = await duel.d1
    .prepare("SELECT count(*) AS n FROM user WHERE role = 'admin' AND banned = 0")
    .first<{ n: number }>();
  return row?.n ?? -1;
}

test.each([
  ["demote", "demote"],
  ["ban", "ban"],
  ["delete", "delete"],
  ["demote", "ban"],
  ["ban", "delete"],
  ["delete", "demote"],
] as const)("two admins who %s and %s each other at once leave one", async (first, second) => {
  for (let round = 0; round < RACE_ROUNDS; round++) {
    await reinstate();

    const responses = await Promise.all([ATTACKS[first](one, other), ATTACKS[second](other, one)]);

    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    expect(responses.filter(({ status }) => status === 302).length).toBeGreaterThan(0);
    expect(await countAdmins()).toBe(1);
  }
});

test("removing the last admin is refused with a message", async () => {
  await reinstate();
  // A user with an expired ban may sign in, but does not count as an admin until the ban is lifted.
  await duel.d1
    .prepare("UPDATE user SET banned = 1, ban_expires = 1 WHERE id = ?")
    .bind(one.user.id)
    .run();
  await reinstate("updated_at = updated_at");
  const records = await auditOf(duel, other.user.id);
  const message = "There must always be an admin: make someone else an admin first.";

  const demoted = await ATTACKS.demote(one, other);
  expect(demoted.status).toBe(400);
  expect(accessibleError(await demoted.text(), "role")).toBe(message);
  for (const attack of [ATTACKS.ban, ATTACKS.delete]) {
    expect(await toastOf(one.browser, await attack(one, other))).toBe(message);
  }
  expect(await countAdmins()).toBe(1);
  expect(await auditOf(duel, other.user.id)).toEqual(records);
});

test("the database refuses every removal of the last admin", async () => {
  await reinstate();
  await duel.d1.prepare("UPDATE user SET role = 'user' WHERE id = ?").bind(other.user.id).run();

  for (const change of ["role = 'user'", "banned = 1", "role = ''"]) {
    const write = duel.d1.prepare(`UPDATE user SET ${change} WHERE id = ?`).bind(one.user.id);
    await expect(write.run()).rejects.toThrow("LAST_ADMIN");
  }
  const deletion = duel.d1.prepare("DELETE FROM user WHERE id = ?").bind(one.user.id);
  await expect(deletion.run()).rejects.toThrow("LAST_ADMIN");
  expect(await countAdmins()).toBe(1);
});
