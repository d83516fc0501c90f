import { expect, test } from "vitest";
import { partOfDay } from "./part-of-day.ts";

test.each([
  ["04:59", "evening"],
  ["05:00", "morning"],
  ["11:59", "morning"],
  ["12:00", "afternoon"],
  ["17:59", "afternoon"],
  ["18:00", "evening"],
  ["00:00", "evening"],
])("%s is in the %s", (time, part) => {
  expect(partOfDay(new Date(`2026-03-01T${time}:00Z`), "UTC")).toBe(part);
});

test("the part of the day is that of the time zone", () => {
  const now = new Date("2026-03-01T09:00:00Z");
  expect(partOfDay(now, "Africa/Nairobi")).toBe("afternoon");
  expect(partOfDay(now, "America/New_York")).toBe("evening");
});

test.each([undefined, "", "Mars/Olympus"])("the part of the day in %j is not known", (timeZone) => {
  expect(partOfDay(new Date(), timeZone)).toBeUndefined();
});
