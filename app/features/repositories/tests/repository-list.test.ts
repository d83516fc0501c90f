import { afterAll, expect, test } from "vitest";
import { locationOf } from "../../../../tests/support/client.ts";
import { openList, walkList } from "../../../../tests/support/lists.ts";
import { readPage } from "../../../../tests/support/page.ts";
import { foldForSearch } from "../../../db/fold.ts";
import { encodeCursor } from "../../../lists/query/list-params.ts";
import { aLibrary, aRepository, manyRepositories, repositoryPath } from "./repositories.ts";

const LIST = "/manager/repositories";
const NEW = "/manager/repositories/new";
const LINK = "https://git.example/acme/gate";

const shelf = await aLibrary();
afterAll(() => shelf[Symbol.asyncDispose]());

/** 245 repositories: name, creation and change each have a different order, and many share a time. */
const BOOKS = await manyRepositories(
  shelf.library,
  Array.from({ length: 245 }, (_, index) => ({
    name: `Book ${String((index * 101) % 245).padStart(3, "0")}${index % 2 ? " Ž" : ""}`,
    created_at: 1_700_000_000_000 + (index % 7) * 1_000,
    updated_at: 1_750_000_000_000 + ((index * 37) % 245),
  })),
);

test("an empty list says so and offers to create the first repository", async () => {
  await using empty = await aLibrary();

  const { text, ids, more } = await openList(empty.browser, LIST);

  expect(ids).toEqual([]);
  expect(text).toContain("No Data Create the first repository");
  expect(more).toBeUndefined();
});

test("an empty list has no search until it is searched", async () => {
  await using empty = await aLibrary();
  const searchesOn = async (path: string) => {
    const page = readPage(await (await empty.browser.get(path)).text());
    return page.document.querySelectorAll("main [role=search]").length;
  };

  expect(await searchesOn(LIST)).toBe(0);
  expect(await searchesOn(`${LIST}?searchTerm=atlas`)).toBe(1);
});

test.each([
  ["", "updated", "desc"],
  ["?sort=updated&direction=asc", "updated", "asc"],
  ["?sort=created&direction=asc", "created", "asc"],
  ["?sort=created", "created", "desc"],
  ["?sort=name&direction=asc", "name", "asc"],
  ["?sort=name&direction=desc", "name", "desc"],
  ["?sort=link&direction=asc", "updated", "asc"],
  ["?sort=__proto__&direction=sideways", "updated", "desc"],
] as const)("the list %j shows every row once, by %s %s", async (search, sort, direction) => {
  const column = { updated: "updated_at", created: "created_at", name: "name_key" } as const;
  const sign = direction === "asc" ? 1 : -1;
  const keyOf = (book: (typeof BOOKS)[number]) => [book[column[sort]], book.id] as const;
  const expected = BOOKS.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return sign * (a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]) ? -1 : 1);
  });

  const ids = await walkList(shelf.browser, LIST + search);

  expect(ids).toEqual(expected.map(({ id }) => id));
});

test("Load more adds pages up to ten, then continues behind a cursor", async () => {
  let shown = await openList(shelf.browser, `${LIST}?sort=name&direction=asc`);
  const urls: string[] = [];
  const counts = [shown.ids.length];
  while (shown.more) {
    urls.push(shown.more);
    shown = await openList(shelf.browser, shown.more);
    counts.push(shown.ids.length);
  }

  expect(counts).toEqual([20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 20, 40, 45]);
  const pages = urls.map((path) => new URL(path, LINK).searchParams.get("pages"));
  expect(pages).toEqual(["2", "3", "4", "5", "6", "7", "8", "9", "10", null, "2", "3"]);
  expect(urls.slice(9).every((path) => path.includes("after="))).toBe(true);
  expect(urls.every((path) => path.includes("sort=name&direction=asc"))).toBe(true);
});

test("a list shows its total, and a search its number of matches", async () => {
  const all = await openList(shelf.browser, LIST);
  const some = await openList(shelf.browser, `${LIST}?searchTerm=book+00`);

  expect(all.text).toContain("Showing 20 of 245");
  expect(some.ids).toHaveLength(10);
  expect(some.text).toContain('10 results for "book 00"');
});

test.each(["1 ž", "B", "bo", "book"])(
  "the search for %j is sorted and loads more like the list",
  async (searchTerm) => {
    const term = foldForSearch(searchTerm);
    const isShort = [...term].length < 3;
    const expected = BOOKS.filter((book) =>
      isShort ? book.search_key.startsWith(term) : book.search_key.includes(term),
    )
      .toSorted((one, other) => (one.name_key < other.name_key ? -1 : 1))
      .map(({ id }) => id);

    const search = new URLSearchParams({ searchTerm, sort: "name", direction: "asc" });
    const ids = await walkList(shelf.browser, `${LIST}?${search}`);

    expect(expected.length).toBeGreaterThan(10);
    expect(ids).toEqual(expected);
  },
);

test("a term with more than 1,000 matches counts 1,000+ and shows every match once", async () => {
  await using crowd = await aLibrary();
  // 1,025 rows, generated in SQL.
  await crowd.library.d1.exec(
    "INSERT INTO repository (id, name, name_key, link, search_key, created_at, updated_at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1025) SELECT printf('r%04d', i), 'common ' || i, 'common ' || i, 'https://a.bc/', 'common ' || i || char(10) || 'https://a.bc/', i % 50, i FROM n",
  );

  const { text } = await openList(crowd.browser, `${LIST}?searchTerm=common`);
  const ids = await walkList(crowd.browser, `${LIST}?searchTerm=common&sort=created`);
  const short = await openList(crowd.browser, `${LIST}?searchTerm=co`);
  const all = await openList(crowd.browser, LIST);
  const rare = await openList(crowd.browser, `${LIST}?searchTerm=common+102`);

  expect(text).toContain('1,000+ results for "common"');
  expect(short.text).toContain('1,000+ results for "co"');
  expect(all.text).toContain("Showing 20 of 1,025");
  expect(ids).toHaveLength(1_025);
  expect(new Set(ids).size).toBe(1_025);
  expect(rare.text).toContain('7 results for "common 102"');
});

test.each([
  "x",
  "",
  "%00",
  btoa("null"),
  btoa('{"value":{},"id":"r1"}'),
  btoa(JSON.stringify({ value: 1, id: "x".repeat(65) })),
])("the malformed cursor %j is ignored, and the page says so", async (after) => {
  const path = `${LIST}?${new URLSearchParams({ after, sort: "name", direction: "asc" })}`;
  const { status, ids, text } = await openList(shelf.browser, path);

  expect(status).toBe(200);
  expect(text).toContain("That page of the list no longer exists");
  expect(ids).toEqual((await openList(shelf.browser, `${LIST}?sort=name&direction=asc`)).ids);
});

test("a cursor of another order causes no error", async () => {
  for (const value of ["book", 5, null, -1, "'", 9e99]) {
    for (const sort of ["name", "created", "updated"]) {
      const after = encodeCursor({ value, id: "r1" });
      const path = `${LIST}?${new URLSearchParams({ after, sort })}`;
      expect((await openList(shelf.browser, path)).status).toBe(200);
    }
  }
});

test("an export has every row of a search, and no cell is a formula", async () => {
  await using own = await aLibrary();
  await manyRepositories(
    own.library,
    Array.from({ length: 520 }, (_, count) => ({
      name: `book ${count}`,
      created_at: 1_700_000_000_000 + (count % 3),
    })),
  );
  const risky = await aRepository(own.library, {
    name: '=HYPERLINK("x")',
    description: "+1, two\nlines;=1+1",
    created_at: 1_600_000_000_000,
  });
  const page = readPage(await (await own.browser.get(`${LIST}?searchTerm=book`)).text());
  expect(page.linkTo("Export as CSV")).toBe("/manager/repositories/export?searchTerm=book");

  const response = await own.browser.get("/manager/repositories/export");
  const found = await own.browser.get(
    "/manager/repositories/export?searchTerm=book+51&sort=x&page=-1",
  );

  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toBe(
    'attachment; filename="repositories.csv"',
  );
  const lines = (await response.text()).split("\r\n");
  expect(lines[0]).toBe("id,name,link,description,created,updated");
  const ids = lines.slice(1).map((line) => line.split(",")[0]);
  expect(new Set(ids).size).toBe(522);
  expect(lines.at(-2)).toBe(
    `${risky.id},"'=HYPERLINK(""x"")",https://git.example/acme/gate,"'+1, two\nlines;'=1+1",2020-09-13T12:26:40.000Z,${new Date(risky.updated_at).toISOString()}`,
  );
  // 51 and 510 to 519.
  expect((await found.text()).split("\r\n")).toHaveLength(1 + 11 + 1);
});

test("the total follows creations, deletions and restorations", async () => {
  await using own = await aLibrary();
  const total = async () =>
    /Showing \d+ of \d+|No Data/.exec((await openList(own.browser, LIST)).text)?.[0];

  const created = await own.browser.submit(NEW, { name: "one", link: LINK });
  const { id } = await aRepository(own.library, { name: "two" });
  expect(locationOf(created)).toBeDefined();
  expect(await total()).toBe("Showing 2 of 2");
  await own.browser.submit(repositoryPath(id), { intent: "delete" });
  expect(await total()).toBe("Showing 1 of 1");
  await own.browser.submit(repositoryPath(id), { intent: "restore" });
  expect(await total()).toBe("Showing 2 of 2");
});
