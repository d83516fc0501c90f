import { afterAll, expect, test } from "vitest";
import { encodeCursor } from "../../app/lists/query/list-params.ts";
import { openList, walkList } from "../support/lists.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aUser, manyUsers, type Person } from "../support/people.ts";
import { findPerson } from "../support/users.ts";
import { startGatehouse } from "../support/worker.ts";

const LIST = "/manager/users";
const DAY_MS = 86_400_000;

const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);

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
    const row = await findPerson(crowd, keeperUser.id);
    if (row?.last_seen_at) return [...PEOPLE, row];
  }
}

test("a search for an e-mail without an account leads to what happened at its sign-in", async () => {
  const { browser: auditor } = await anAdmin(gatehouse, { role: "auditor" });

  for (const browser of [manager, auditor]) {
    const answer = await browser.get(`${LIST}?searchTerm=zed%40acme.test`);
    const page = readPage(await answer.text());
    expect(page.text()).toContain("Why did");
    expect(page.linkTo(/zed@acme\.test/)).toBe("/manager/mail/sign-in?email=zed%40acme.test");
  }
  const other = readPage(await (await manager.get(`${LIST}?searchTerm=nobody-here`)).text());
  expect(other.text()).not.toContain("Why did");
});

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
  const byLetter = await walkList(keeper, `${LIST}?searchTerm=P&sort=seen`);
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
    ["ز", undefined],
    ["لي", layla.id],
    ["ZÖ", zoe.id],
    ["o'n", o.id],
    ["O'", o.id],
    ['"The_', o.id],
    ['0%"', o.id],
  ]) {
    const search = new URLSearchParams({ searchTerm: searchTerm ?? "" });
    const expected = id ? [id] : [];
    expect((await openList(manager, `${LIST}?${search}`)).ids, searchTerm).toEqual(expected);
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

test("each user who signed up has one status, the same in the badge and in the filter", async () => {
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
    Object.entries({
      active: "Active",
      banned: "Banned",
      "not-onboarded": "Sign-up unfinished",
      unverified: "Unverified",
    }).map(async ([status, badge]) => {
      const { ids, text } = await openList(browser, `${LIST}?status=${status}`);
      // Once more beside the button of the filters.
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
    expect(text).toContain("That date is not valid, so it was ignored.");
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
  expect(wrong.text).toContain("That page of the list no longer exists");
  expect(long.text).toContain("Your search was too long. Only the first 200 characters were used.");
  for (const value of ["x", 5, null, 9e99]) {
    for (const sort of ["name", "email", "created", "seen"]) {
      const after = encodeCursor({ value, id: "x" });
      expect((await openList(keeper, `${LIST}?after=${after}&sort=${sort}`)).status).toBe(200);
    }
  }
});

test("a page of twenty users has few elements, attributes and bytes, which cost CPU and time to arrive", async () => {
  const html = await (await keeper.get(LIST)).text();

  const page = readPage(html);
  const elements = [...page.document.querySelectorAll("*")];
  expect(page.rows()).toHaveLength(20);
  expect(elements.length).toBeLessThan(1_000);
  expect(elements.reduce((count, { attributes }) => count + attributes.length, 0)).toBeLessThan(
    2_250,
  );
  expect(html.length).toBeLessThan(85_000);
});
