import { test } from "vitest";
import { FEATURE_TESTS, type KeyOptions } from "./feature-tests.ts";
import type { Gatehouse } from "./worker.ts";

const MAKERS = FEATURE_TESTS.flatMap(({ key }) => key ?? []);

/** False where no feature knows programs. The calls of the others then answer 404. */
export const HAS_PROGRAMS = MAKERS.length > 0;

/** A test of calls of programs, which runs only where these are known. */
export const programTest = test.runIf(HAS_PROGRAMS);

/** Makes a key of a user, with which a program calls the API. Where no feature knows programs, it is none. */
export async function aProgramKey(
  gatehouse: Gatehouse,
  user: { id: string },
  options: KeyOptions,
): Promise<string> {
  const [make] = MAKERS;
  return make ? make(gatehouse, user, options) : "";
}
