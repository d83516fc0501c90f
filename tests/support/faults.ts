import { inTurn } from "./matrix.ts";

const MOMENTS = ["before", "after"] as const;

/**
 * Returns faults for `d1-probe.js`: the number of a database call, and whether it fails before or after it has run. The
 * gate takes one fault of each call, before and after by turns; `turn` decides which comes first. `npm run test:full`
 * takes both. A fault past the last call of a request has no effect.
 */
export function faultsUpTo(calls: number, turn = 0): string[] {
  return Array.from({ length: calls }, (_, index) => index).flatMap((index) =>
    inTurn(MOMENTS, index + turn).map((moment) => `${index + 1} ${moment}`),
  );
}

/** Returns the header with which `d1-probe.js` executes a statement before a request's nth database call. */
export function changeBefore(call: number, statement: string): Record<string, string> {
  return { "x-d1-meanwhile": `${call} ${encodeURIComponent(statement)}` };
}
