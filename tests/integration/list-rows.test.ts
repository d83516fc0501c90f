import { afterAll, expect, test } from "vitest";
import { searchKey } from "../../app/db/fold.ts";
import { encodeCursor } from "../../app/lists/query/list-params.ts";
import { newBrowser, readText } from "../support/client.ts";
import { insertRows } from "../support/insert.ts";
import { type ListPage, listPages, ROW_BUDGETS, type RowBudget } from "../support/list-pages.ts";
import { openList } from "../support/lists.ts";
import { readPage } from "../support/page.ts";
import { anAdmin, aSignedInUser, manyUsers } from "../support/people.ts";
import { isFull } from "../support/thoroughness.ts";
import { startGatehouse } from "../support/worker.ts";

const DAY_MS = 86_400_000;
const USERS = 20_000;

// Made before the worker starts: it may take longer than an idle connection to the worker stays open.
const sample = makeSample();
const gatehouse = await startGatehouse();
afterAll(() => gatehouse[Symbol.asyncDispose]());
await fill();
const { browser: manager } = await anAdmin(gatehouse);

/** Makes 20,000 users of every kind, some in unspaced scripts, as many organizations, and 4,000 repositories. */
function makeSample() {
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
  // As in use: sign-ins are the most common event, every day.
  const signIns = people.map(({ id }, index) => ({
    id: `sign-in-${index}`,
    action: "user.signed_in",
    actor_id: id,
    target_type: "user",
    target_id: id,
    created_at: now - ((index * 7919) % 730) * DAY_MS,
  }));
  return {
    user: people,
    organization: makeOrganizations(now),
    repository: repositories,
    audit_event: signIns,
  };
}

/** Few organizations are disabled or being deleted; most are inactive. Invitations last 48 hours: one in fifty has open ones. */
function makeOrganizations(now: number) {
  return Array.from({ length: USERS }, (_, index) => {
    const name = `${["Alpha", "Baobab", "Cedar", "مؤسسة"][index % 4]} Works${index % 300}`;
    const slug = `example-${index}`;
    return {
      id: `organization-${index}`,
      name,
      slug,
      search_key: searchKey(name, slug),
      created_at: now - ((index * 7919) % 730) * DAY_MS,
      last_activity_at: now - (index % 400) * DAY_MS,
      member_count: index % 100,
      invited_until: index % 50 === 1 ? now + DAY_MS : null,
      disabled_at: index % 500 === 7 ? now : null,
      deletion_due_at: index % 900 === 11 ? now + DAY_MS : null,
    };
  });
}

async function fill() {
  for (const [table, rows] of Object.entries(sample)) await insertRows(gatehouse.d1, table, rows);
}

async function rowsReadBy(path: string, browser = manager): Promise<number> {
  const response = await browser.get(path);
  await response.arrayBuffer();
  expect([path, response.status]).toEqual([path, 200]);
  return Number(response.headers.get("x-d1-rows-read"));
}

/** Inactive organizations by name, with a term that stands only in the middle of the names: the walk begins far from it. */
const FAR_FROM_TERM = /^.manager.organizations\?state=inactive&sort=name&.*searchTerm=ba/;

/** Returns the most rows that a page may read: its budget at a million users, at most the table's size. */
function mostRows({ path, budget }: ListPage): number {
  const { rows } = ROW_BUDGETS[budget];
  return FAR_FROM_TERM.test(path) ? rows : Math.min(rows, USERS);
}

const pages = listPages({
  terms: { most: "example", many: "alice", few: "family299", otherScript: "أمينة", short: "al" },
  organizationTerms: { most: "example", many: "baobab", few: "works299", short: "ba" },
  repositoryTerm: "tool",
  today: new Date(),
  user: { id: "person-5", email: "person.5@example.com" },
  repositoryId: "person-7",
  cursors: await findCursors(),
});
// 23 has no divisor in common with the number of terms and orders, so every term and order is chosen.
const chosen = isFull ? pages : pages.filter((_, index) => index % 23 === 0);

async function findCursors() {
  const halfWay = async (column: string, order: string) => {
    const row = await gatehouse.d1
      .prepare(`SELECT ${column} AS value, id FROM user ORDER BY ${order} LIMIT 1 OFFSET 10000`)
      .first<{ value: string | number; id: string }>();
    return encodeCursor(row ?? { value: null, id: "" });
  };
  return {
    created: await halfWay("created_at", "created_at DESC, id DESC"),
    name: await halfWay("name", "name COLLATE NOCASE, id"),
  };
}

test.each(Object.keys(ROW_BUDGETS) as RowBudget[])(
  "%s: every combination of filter, order and term reads within its budget",
  async (budget) => {
    await gatehouse.runScheduled();
    const broken: [path: string, rows: number][] = [];
    let browser = manager;
    for (const [index, page] of chosen.filter((page) => page.budget === budget).entries()) {
      const { path } = page;
      // A user may make 30 short searches a minute.
      if (index % 30 === 0) browser = (await anAdmin(gatehouse)).browser;
      const rows = await rowsReadBy(path.replace(/(\?|$)/, ".data$1"), browser);
      if (rows > mostRows(page)) broken.push([path, rows]);
    }

    expect(broken).toEqual([]);
  },
);

test("a term of two letters that matches no prefix reads at most 100 rows", async () => {
  expect(await rowsReadBy("/manager/users?searchTerm=zq")).toBeLessThanOrEqual(100);
  expect(await rowsReadBy("/manager/organizations?searchTerm=zq")).toBeLessThanOrEqual(100);
  expect(await rowsReadBy("/manager/repositories?searchTerm=zq")).toBeLessThanOrEqual(100);
});

test("the user table has at most ten indexes", async () => {
  const { results } = await gatehouse.d1
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'user'")
    .all();

  expect(results.length).toBeLessThanOrEqual(10);
});

const small = await startGatehouse();
afterAll(() => small[Symbol.asyncDispose]());
const { browser: smallManager } = await anAdmin(small);

test.each([
  ["om", ["Zed Öm", "Omar Sy"], ["Tom Brown"]],
  ["ü", ["O'Malley Ünal"], ["Tom Brown"]],
  ["中", ["田中花子"], ["Tom Brown"]],
  ["中花", ["田中花子"], ["中村花"]],
  ["ชา", ["สมชาย ใจดี"], ["Tom Brown"]],
  ["من", ["منى الحسن"], ["أمنية"]],
  ["민", ["김민수"], ["Tom Brown"]],
])("%s finds the beginnings of words", async (searchTerm, having, others) => {
  const add = (names: string[]) =>
    manyUsers(
      small,
      names.map((name) => ({
        name,
        email: `${crypto.randomUUID().replaceAll(/[^0-9]/g, "")}@9.example`,
      })),
    );
  const expected = await add(having);
  const unexpected = await add(others);

  const path = `/manager/users?${new URLSearchParams({ searchTerm, status: "active" })}`;
  const { ids, text } = await openList(smallManager, path);
  expect(ids.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  expect(text).toContain(`${expected.length} results for "${searchTerm}"`);

  // The next case has its own names.
  for (const { id } of [...expected, ...unexpected]) {
    await small.d1.prepare("DELETE FROM user WHERE id = ?").bind(id).run();
  }
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
  expect(readText(page)).toContain("Too many one- or two-letter searches.");
  expect(readPage(page).field("searchTerm")?.value).toBe("zq");
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
