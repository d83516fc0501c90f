import { expect, test } from "vitest";
import { TRUSTED_WRONG_CODES, WRONG_CODES } from "./rate-limits.ts";

test("the wrong codes of a day, of strangers or of former devices, guess a code with a chance of at most 1 in 20,000", () => {
  // A try is compared with two codes: the browser's own and the mailbox's newest.
  expect((WRONG_CODES.max * 2) / 1_000_000).toBeLessThanOrEqual(1 / 20_000);
  expect((TRUSTED_WRONG_CODES.max * 2) / 1_000_000).toBeLessThanOrEqual(1 / 20_000);
});
