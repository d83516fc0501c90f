import { expect, test } from "vitest";
import { nextTryAt } from "./retry.ts";

const since = new Date("2026-11-27T12:00:00Z");

test("waits grow, the last try is after exactly a day, and then the endpoint is given up", () => {
  const waits: number[] = [];
  let now = since;
  for (let tries = 1; ; tries++) {
    const next = nextTryAt(tries, since, now);
    if (!next) break;
    waits.push((next.getTime() - now.getTime()) / 1_000);
    now = next;
  }

  expect(waits.slice(0, 10)).toEqual([5, 30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600]);
  expect(waits.reduce((sum, wait) => sum + wait)).toBe(86_400);
  expect(waits.length).toBeLessThan(16);
});
