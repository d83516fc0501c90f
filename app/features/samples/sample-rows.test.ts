import { expect, test } from "vitest";
import { sampleId } from "./sample-rows.ts";

test("ids of sample rows look like real ones, differ, and are the same in every run", () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => sampleId("user", index));

  for (const id of ids.slice(0, 100)) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(sampleId("user", 7)).toBe(ids[7]);
  expect(sampleId("member", 7)).not.toBe(ids[7]);
});
