import { afterAll, expect, test } from "vitest";
import { searchKey } from "../../app/db/fold.ts";
import { dayOf } from "../../app/http/day-range.ts";
import { newBrowser, readText } from "../support/client.ts";
import { openList } from "../support/lists.ts";
import { anAdmin, aSignedInUser, aUser } from "../support/people.ts";
import { startGatehouse } from "../support/worker.ts";

const DAY_MS = 86_400_000;
const USERS = 20_000;

const gatehouse = await startGatehouse({ isProbed: true });
afterAll(() => gatehouse[Symbol.asyncDispose]());
const { browser: manager } = await anAdmin(gatehouse);
await fill();

/** 20,000 users of every kind, some in unspaced scripts, and their repositories. */
async function fill() {
  const now = Date.now();
  const people = Array.from({ length: USERS }, (_, index) => {
    const isOnboarded = index % 12 !== 0;
    const given =
      ["Alice", "Baraka", "Chloé", "田中", "สมชาย", "أمينة", "Eve", "Fatou"][index % 8] ?? "";
    const name = isOnboarded ? `${given} Family${index % 300}` : "";
    const email = `person.${index}@example.com`;
    return {
      id: `person-${index}`,
      name,
      email,
      search_key: searchKey(name, email),
      email_verified: index % 24 === 0 ? 0 : 1,
      role: index % 50 === 7 ? "admin" : "user",
      banned: index % 25 === 3 ? 1 : 0,
      ban_expires: index % 50 === 3 ? now + DAY_MS : null,
      onboarded_at: isOnboarded ? now : null,
      first_seen_at: isOnboarded ? now - 730 * DAY_MS : null,
      last_seen_at: isOnboarded ? now - (index % 400) * DAY_MS : null,
      created_at: now - ((index * 7919) % 730) * DAY_MS,
      updated_at: now,
    };
  });
  const repositories = people.slice(0, 4_000).map(({ id }, index) => {
    const name = `tool ${index}`;
    return {
      id,
      name,
      name_key: name,
      link: "https://a.bc/",
      search_key: searchKey(name, "https://a.bc/"),
      created_at: now - index,
      updated_at: now - index,
    };
  });
  for (const [table, rows] of [
    ["user", people],
    ["repository", repositories],
  ] as const) {
    const columns = Object.keys(rows[0] ?? {});
    const values = columns.map((column) => `value ->> '${column}'`);
    await gatehouse.d1
      .prepare(
        `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?)`,
      )
      .bind(JSON.stringify(rows))
      .run();
  }
}

async function rowsReadBy(path: string): Promise<number> {
  const response = await manager.get(path);
  await response.arrayBuffer();
  expect([path, response.status]).toEqual([path, 200]);
  return Number(response.headers.get("x-d1-rows-read"));
}

test.each([
  "/manager/users",
  "/manager/users?sort=name&direction=asc",
  "/manager/users?sort=seen",
  "/manager/users?role=admin",
  "/manager/users?status=active",
  "/manager/users?status=banned",
  "/manager/users?status=not-onboarded",
  "/manager/users?status=unverified",
  "/manager/users?searchTerm=alice",
  "/manager/users?searchTerm=example",
  "/manager/users?searchTerm=family299",
  "/manager/users?searchTerm=nobody-has-this",
  "/manager/repositories",
  "/manager/repositories?searchTerm=tool",
  "/manager/audit",
  "/manager/mail",
  "/app/repositories",
])("%s reads at most 5,000 rows", async (path) => {
  expect(await rowsReadBy(path)).toBeLessThanOrEqual(5_000);
});

test("the dashboard reads at most 500 rows", async () => {
  await gatehouse.runScheduled();

  expect(await rowsReadBy("/manager/dashboard")).toBeLessThanOrEqual(500);
});

test("a term of two letters that nothing begins with reads next to nothing", async () => {
  expect(await rowsReadBy("/manager/users?searchTerm=zq")).toBeLessThanOrEqual(100);
  expect(await rowsReadBy("/manager/repositories?searchTerm=zq")).toBeLessThanOrEqual(100);
});

test("every combination of a filter, an order and a term reads less than the table", async () => {
  const days = (from: number, to: number) => ({
    from: dayOf(new Date(Date.now() - from * DAY_MS)),
    to: dayOf(new Date(Date.now() - to * DAY_MS)),
  });
  const filters: Record<string, string>[] = [
    { role: "user" },
    { role: "admin", status: "active" },
    { status: "banned" },
    { status: "not-onboarded" },
    days(30, 0),
    { ...days(300, 290), status: "active" },
    { seenFrom: dayOf(new Date()) },
  ];
  for (const filter of filters) {
    for (const sort of ["created", "name", "email", "seen"]) {
      for (const searchTerm of ["", "alice", "family29"]) {
        const search = new URLSearchParams({ ...filter, sort, searchTerm });
        const rows = await rowsReadBy(`/manager/users?${search}`);
        expect([`${search}`, rows <= 15_000 || rows]).toEqual([`${search}`, true]);
      }
    }
  }
});

test("user has ten indexes at most", async () => {
  const { results } = await gatehouse.d1
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'user'")
    .all();

  expect(results.length).toBeLessThanOrEqual(10);
});

test.each([
  ["om", ["Zed Öm", "Omar Sy"], ["Tom Brown"]],
  ["ü", ["O'Malley Ünal"], ["Tom Brown"]],
  ["中", ["田中花子"], ["Tom Brown"]],
  ["中花", ["田中花子"], ["中村花"]],
  ["ชา", ["สมชาย ใจดี"], ["Tom Brown"]],
  ["من", ["منى الحسن"], ["أمنية"]],
  ["민", ["김민수"], ["Tom Brown"]],
])("%s finds the beginnings of words", async (searchTerm, having, others) => {
  await using small = await startGatehouse();
  const { browser } = await anAdmin(small);
  const add = (names: string[]) =>
    Promise.all(
      names.map((name) =>
        aUser(small, { name, email: `${crypto.randomUUID().replaceAll(/[^0-9]/g, "")}@9.example` }),
      ),
    );
  const expected = await add(having);
  await add(others);

  const path = `/manager/users?${new URLSearchParams({ searchTerm, status: "active" })}`;
  const { ids, text } = await openList(browser, path);
  expect(ids.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  expect(text).toContain(`${expected.length} results for "${searchTerm}"`);
});

test("the 31st short search of a minute is refused with a message, and a longer term is not", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const open = (searchTerm: string) => browser.get(`/manager/users?searchTerm=${searchTerm}`);
  for (let search = 0; search < 30; search++) {
    expect((await open(search % 2 ? "zq" : "z")).status).toBe(200);
  }

  const refused = await open("zq");
  const page = await refused.text();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(readText(page)).toContain("You have searched for one or two letters very often.");
  expect(page).toMatch(/<input\b[^>]*value="zq"/);
  for (const path of [
    "/manager/repositories?searchTerm=a",
    "/app/repositories?searchTerm=a",
    "/api/auth/admin/list-users?searchValue=a",
    `/_server/palette-search?payload=${encodeURIComponent('{"searchTerm":"a"}')}`,
  ]) {
    const response = await browser.get(path);
    expect([path, response.status]).toEqual([path, 429]);
    expect([path, Number(response.headers.get("retry-after")) > 0]).toEqual([path, true]);
  }
  expect((await open("alice")).status).toBe(200);
  expect((await manager.get("/manager/users?searchTerm=zq")).status).toBe(200);
});

test("twenty short searches at once leave the product responsive", async () => {
  const { browser } = await aSignedInUser(gatehouse, { role: "admin" });
  const searches = Array.from({ length: 20 }, (_, index) =>
    browser.get(`/manager/users?searchTerm=${index % 2 ? "zq" : "a"}`),
  );
  const rows = await Promise.all(
    searches.map(async (search) => Number((await search).headers.get("x-d1-rows-read"))),
  );

  expect(Math.max(...rows)).toBeLessThanOrEqual(10_000);
  expect((await newBrowser(gatehouse).get("/ready")).status).toBe(200);
});
