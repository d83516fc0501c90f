import { expect, test } from "vitest";
import { insertRows } from "../../../../tests/support/insert.ts";
import { sorted } from "../../../../tests/support/sorting.ts";
import { openSqlite } from "../../../../tests/support/sqlite-d1.ts";
import { createDb } from "../../../db/db.server.ts";
import { foldForSearch, searchKey } from "../../../db/fold.ts";
import { repositoryList } from "../repository-queries.server.ts";

const d1 = openSqlite();
const db = createDb(d1);

const REPOSITORIES = Array.from({ length: 4_300 }, (_, index) => {
  const name = `${index % 3 ? "common" : "Sooty"} ${index % 70 ? "" : "rare "}${index}`;
  return {
    id: `repository-${(index * 17) % 4_300}-${index}`,
    name,
    name_key: foldForSearch(name),
    search_key: searchKey(name, "https://a.bc/"),
    created_at: index % 50,
    updated_at: index % 90,
  };
});
await insertRows(
  d1,
  "repository",
  REPOSITORIES.map((one) => ({ ...one, link: "https://a.bc/" })),
);

/**
 * True when a search finds a key by a term: a longer term occurs anywhere, a short one begins one of the first `lines`:
 * of a user name and e-mail.
 */
function has(key: string, term: string, lines = 2): boolean {
  if ([...term].length > 2 || term === "") return key.includes(term);
  return key
    .split("\n")
    .slice(0, lines)
    .some((line) => line.startsWith(term));
}

test.each(["", "7", "co", "rare", "sooty", "common"])(
  "the repository list searched for %j has the expected rows and total, in every order",
  async (searchTerm) => {
    const matching = REPOSITORIES.filter((one) => has(one.search_key, searchTerm, 1));
    const orders = {
      name: (row: (typeof REPOSITORIES)[number]) => row.name_key,
      created: (row: (typeof REPOSITORIES)[number]) => row.created_at,
      updated: (row: (typeof REPOSITORIES)[number]) => row.updated_at,
    };
    for (const sort of ["name", "created", "updated"] as const) {
      for (const direction of ["asc", "desc"] as const) {
        const input = { searchTerm, filters: undefined, sort, direction, limit: 30 };
        const reader = { now: new Date() };
        const first = await repositoryList.page(db, { ...input, after: undefined }, reader);
        const second = await repositoryList.page(db, { ...input, after: first.cursor }, reader);

        const expected = sorted(matching, orders[sort], direction);
        const ids = [...first.rows, ...second.rows].map(({ id }) => id);
        expect([sort, direction, ids]).toEqual([sort, direction, expected.slice(0, 60)]);
        const isCapped = searchTerm !== "" && expected.length > 1_000;
        expect(first.total).toEqual({ count: isCapped ? 1_000 : expected.length, isCapped });
      }
    }
  },
);
