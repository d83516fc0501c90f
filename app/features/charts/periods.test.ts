import { expect, test } from "vitest";
import { readPeriod } from "./periods.ts";

test.each([
  ["", 30],
  ["?days=7", 7],
  ["?days=90", 90],
  ["?days=365", 30],
  ["?days=7&days=90", 7],
  ["?days=07", 30],
])("the period of %j is %i days", (search, expected) => {
  expect(readPeriod(new URLSearchParams(search))).toBe(expected);
});
