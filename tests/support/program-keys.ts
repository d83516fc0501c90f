import { test } from "vitest";
import { FEATURE_TESTS, type KeyOptions } from "./feature-tests.ts";
import type { Gatehouse } from "./worker.ts";

const MAKERS = FEATURE_TESTS.flatMap(({ key }) => key ?? []);

/**
 * The errors that every call can answer.
 * @public For features, of which there may be none.
 */
export const COMMON_ERRORS = FEATURE_TESTS.flatMap(({ answers }) => answers?.errors ?? []);

/** A test of calls of programs. It runs only where a feature knows programs: without one, these calls answer 404. */
export const programTest = test.runIf(MAKERS.length > 0);

/** Makes a key of a user, with which a program calls the API. The key is empty when no feature makes keys. */
export async function aProgramKey(
  gatehouse: Gatehouse,
  user: { id: string },
  options: KeyOptions,
): Promise<string> {
  const [make] = MAKERS;
  return make ? make(gatehouse, user, options) : "";
}
