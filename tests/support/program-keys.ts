import { FEATURE_TESTS, type KeyOptions } from "./feature-tests.ts";
import type { Gatehouse } from "./worker.ts";

const MAKERS = FEATURE_TESTS.flatMap(({ key }) => key ?? []);

/** False where no feature knows programs: the calls of the others then answer nobody, and tests of them have nothing to run. */
export const HAS_PROGRAMS = MAKERS.length > 0;

/** Makes a key of a user, with which a program calls the API. */
export async function aProgramKey(
  gatehouse: Gatehouse,
  user: { id: string },
  options: KeyOptions,
): Promise<string> {
  const [make] = MAKERS;
  if (!make) throw new Error("No feature makes keys: ask HAS_PROGRAMS first");
  return make(gatehouse, user, options);
}
