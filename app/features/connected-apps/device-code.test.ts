import { expect, test } from "vitest";
import { newUserCode, shownUserCode, typedUserCode } from "./device-code.ts";

test("a new code has eight letters that cannot be confused", () => {
  const codes = Array.from({ length: 200 }, newUserCode);

  for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
  expect(new Set(codes).size).toBe(codes.length);
});

test("it is shown in two halves", () => {
  expect(shownUserCode("BCDFGHJK")).toBe("BCDF-GHJK");
});

test.each([
  "BCDF-GHJK",
  "bcdfghjk",
  " bcdf ghjk ",
  "BcDf–gHjK",
  "\u2066BCDF-GHJK\u2069",
  "b-c-d-f-g-h-j-k",
])("%j is read", (typed) => {
  expect(typedUserCode(typed)).toBe("BCDFGHJK");
});

test.each(["", "BCDF-GHJ", "BCDF-GHJKL", "ABCD-EFGH", "1234-5678", "BCDF_GHJK", "ßCDFGHJK"])(
  "%j is no code",
  (typed) => {
    expect(typedUserCode(typed)).toBeUndefined();
  },
);
