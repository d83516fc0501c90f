import { expect, test } from "vitest";
import { SEARCH_TERM_MAX_LENGTH } from "../../values/limits.ts";
import { encodeCursor, readListParams } from "./list-params.ts";
import { MAX_ROWS, PAGE_SIZES } from "./list-sizes.ts";

const MAX_PAGES = MAX_ROWS / PAGE_SIZES[0];

const SORTS = ["updated", "created", "name"] as const;

function read(search: Record<string, string> | string = {}) {
  const url = new URL(`https://gatehouse.example/list?${new URLSearchParams(search)}`);
  return readListParams(url, SORTS, "desc");
}

test("a URL without params shows the first page in the default order", () => {
  expect(read()).toEqual({
    searchTerm: "",
    size: 20,
    sort: "updated",
    direction: "desc",
    pages: 1,
    after: undefined,
    notices: [],
  });
});

test("the params of a URL are read", () => {
  const after = { value: 7, id: "r7" };

  expect(
    read({
      searchTerm: ' 100%_"x" ',
      sort: "name",
      direction: "asc",
      pages: "3",
      after: encodeCursor(after),
    }),
  ).toEqual({
    searchTerm: '100%_"x"',
    size: 20,
    sort: "name",
    direction: "asc",
    pages: 3,
    after,
    notices: [],
  });
});

test("a term of spaces is empty", () => {
  expect(read({ searchTerm: " \t\u00a0 " })).toMatchObject({ searchTerm: "", notices: [] });
});

test.each(["link", "", "NAME", "__proto__", "constructor", "name; DROP TABLE repository"])(
  "the sort %j is ignored without a notice",
  (sort) => {
    expect(read({ sort })).toMatchObject({ sort: "updated", notices: [] });
  },
);

test.each(["up", "", "ASC", "1"])("the direction %j is ignored without a notice", (direction) => {
  expect(read({ direction })).toMatchObject({ direction: "desc", notices: [] });
});

test.each(["0", "-1", "1.5", "many", "", "NaN", "Infinity", String(MAX_PAGES + 1), "1e9"])(
  "%j pages are one",
  (pages) => {
    expect(read({ pages })).toMatchObject({ pages: 1, notices: [] });
  },
);

test("at most ten pages are shown at once", () => {
  expect(read({ pages: String(MAX_PAGES) }).pages).toBe(MAX_PAGES);
});

test.each(["x", "م", "😀"])(
  "a term of more than 200 %s is cut between characters, with a notice",
  (letter) => {
    const longest = letter.repeat(SEARCH_TERM_MAX_LENGTH);

    expect(read({ searchTerm: longest })).toMatchObject({ searchTerm: longest, notices: [] });
    expect(read({ searchTerm: `${longest}${letter}` })).toMatchObject({
      searchTerm: longest,
      notices: ["common:list.termCut"],
    });
  },
);

test.each([
  { value: "مكتبة ångström 😀", id: "r1" },
  { value: 1_700_000_000_000, id: "r2" },
  { value: null, id: "r3" },
  { value: "", id: "r4" },
])("the cursor %j survives encoding and decoding", (cursor) => {
  const encoded = encodeCursor(cursor);

  expect(encoded).toMatch(/^[\w-]+$/);
  expect(read({ after: encoded })).toMatchObject({ after: cursor, notices: [] });
});

test.each([
  "",
  "x",
  "!!!!",
  "%00",
  btoa("null"),
  btoa("{}"),
  btoa("[1,2]"),
  btoa('{"value":{},"id":"r1"}'),
  btoa('{"value":true,"id":"r1"}'),
  btoa('{"value":1e999,"id":"r1"}'),
  btoa('{"value":1}'),
  btoa('{"value":1,"id":1}'),
  btoa(JSON.stringify({ value: 1, id: "x".repeat(65) })),
])("the cursor %j is ignored, with a notice", (after) => {
  expect(read({ after })).toMatchObject({
    after: undefined,
    notices: ["common:list.cursorIgnored"],
  });
});
