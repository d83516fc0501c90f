import { expect, test } from "vitest";
import { formatsOf } from "../../i18n/formats.ts";
import { growthOf, lastDays, slotOf } from "./days.ts";

test.each([
  [284, 122, 162 / 122],
  [5, 10, -0.5],
  [10, 10, 0],
  // Nothing can be a part of nought.
  [10, 0, undefined],
])("%i after %j is a growth of %j", (count, before, expected) => {
  expect(growthOf(count, before)).toBe(expected);
});

test("each day of the reader follows the one before without a gap, also where the clock is put back", () => {
  const days = lastDays(3, formatsOf("en", "Europe/Paris"), new Date("2026-10-26T10:00:00Z"));

  expect(days.map(({ key }) => key)).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"]);
  expect(days.map(({ from, to }) => to - from)).toEqual([96, 100, 96]);
  expect(days[0]?.from).toBe(slotOf(new Date("2026-10-23T22:00:00Z")));
  expect([days[0]?.to, days[1]?.to]).toEqual([days[1]?.from, days[2]?.from]);
});
