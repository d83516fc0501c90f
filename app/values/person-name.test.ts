import { expect, test } from "vitest";
import { PersonName } from "./person-name.ts";

test.each([
  "Ada Lovelace",
  "ليلى حداد",
  "Zoë",
  "O'Neill",
  "李",
  "Ñ",
  "J.-P. Sartre 3rd",
  "A.B. Ltd/Co",
])("%s is a name", (name) => {
  expect(PersonName.parse(name)).toBe(name);
});

test("a name is trimmed and its runs of spaces become one", () => {
  expect(PersonName.parse("  Ada \t  Lovelace\n")).toBe("Ada Lovelace");
});

test.each([
  [undefined, "validation:name.required"],
  ["", "validation:name.required"],
  [" \u00a0 ", "validation:name.required"],
  ["1234", "validation:name.invalid"],
  ["!!!", "validation:name.invalid"],
  ["Ada\u202eecalevoL", "validation:name.invalid"],
  ["Ada\u0000", "validation:name.invalid"],
  ["\ud800Ada", "validation:name.invalid"],
  ["Bank https://evil.example", "validation:name.link"],
  ["www.evil.example", "validation:name.link"],
  ["Sign in at evil.example/login", "validation:name.link"],
  ["a".repeat(101), "validation:tooLong?maximum=100"],
])("%j is refused with %s", (name, message) => {
  expect(PersonName.safeParse(name).error?.issues.map((issue) => issue.message)).toEqual([message]);
});
