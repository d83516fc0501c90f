import { withAsciiDigits } from "../../../values/digits.ts";

/** Largest number of users that are deleted at once without typing their number. */
export const MAX_UNCOUNTED = 5;

/** Reads a typed number of users; NaN when it is no number. */
export function readCount(typed: string): number {
  return typed.trim() === "" ? Number.NaN : Number(withAsciiDigits(typed.trim()));
}
