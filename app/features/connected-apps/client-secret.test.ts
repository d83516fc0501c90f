import { expect, test } from "vitest";
import {
  hashSecret,
  isSecret,
  newSecret,
  OVERLAP_HOURS,
  overlapUntil,
  rotated,
} from "./client-secret.ts";

const NOW = new Date("2026-11-29T09:00:00Z");
const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

test("a secret is known by its hash, which does not contain it", async () => {
  const secret = newSecret();
  const stored = await hashSecret(secret);

  expect(secret).toMatch(/^ghs_[\w-]{43}$/);
  expect(stored).not.toContain(secret);
  expect(await isSecret(secret, stored, NOW)).toBe(true);
  expect(await isSecret(newSecret(), stored, NOW)).toBe(false);
  expect(await isSecret("", stored, NOW)).toBe(false);
});

test("after a rotation both secrets count, the one before for a while", async () => {
  const [first, second] = [newSecret(), newSecret()];
  const stored = await rotated(await hashSecret(first), second, NOW);

  expect(await isSecret(second, stored, NOW)).toBe(true);
  expect(await isSecret(first, stored, later(OVERLAP_HOURS - 1))).toBe(true);
  expect(await isSecret(first, stored, later(OVERLAP_HOURS))).toBe(false);
  expect(await isSecret(second, stored, later(1_000))).toBe(true);
  expect(overlapUntil(stored, NOW)).toEqual(later(OVERLAP_HOURS));
  expect(overlapUntil(stored, later(OVERLAP_HOURS))).toBeUndefined();
});

test("a second rotation ends the first secret at once", async () => {
  const [first, second, third] = [newSecret(), newSecret(), newSecret()];
  const once = await rotated(await hashSecret(first), second, NOW);
  const twice = await rotated(once, third, NOW);

  expect(await isSecret(first, twice, NOW)).toBe(false);
  expect(await isSecret(second, twice, NOW)).toBe(true);
  expect(await isSecret("", twice, NOW)).toBe(false);
});
