import { expect, test } from "vitest";
import { growthOf, readPeriod } from "./days.ts";

test.each([
  ["", 30],
  ["?days=7", 7],
  ["?days=90", 90],
  ["?days=365", 30],
  ["?days=7&days=90", 7],
  ["?days=07", 30],
])("the period of %j is %i days", (search, expected) => {
  expect(readPeriod(new URL(`https://example.com/manager/dashboard${search}`))).toBe(expected);
});

test.each([
  [284, 122, 162 / 122],
  [5, 10, -0.5],
  [10, 10, 0],
  // Nothing can be a part of nought, and before the first count there is nothing to compare with.
  [10, 0, undefined],
  [10, null, undefined],
])("%i after %j is a growth of %j", (count, before, expected) => {
  expect(growthOf(count, before)).toBe(expected);
});
