import { expect, test } from "vitest";
import { readDeletionDay } from "./grace.ts";

const NOW = new Date("2026-11-22T12:00:00Z");

test("a day within the grace period is read", () => {
  expect(readDeletionDay("2026-11-22", NOW)).toEqual(new Date("2026-11-22"));
  expect(readDeletionDay("2026-11-29", NOW)).toEqual(new Date("2026-11-29"));
});

test.each([null, "", "tomorrow", "2026-11-20", "2026-12-01", "2026-11-99", "2026-11-29T00:00Z"])(
  "%s is not a day of a deletion",
  (value) => {
    expect(readDeletionDay(value, NOW)).toBeUndefined();
  },
);
