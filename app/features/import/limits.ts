import type { RateLimit } from "../../values/rate-limits.ts";
import { HOUR_MS } from "../../values/time.ts";

/** Fields of a person in an imported line. */
export const IMPORT_FIELDS = ["email", "name", "role", "language"] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

export const MAX_LINES = 10_000;
/** Most lines of a form that is sent without JavaScript: one request reads all of them. */
export const MAX_POSTED_LINES = 1_000;
/** Most bytes of such a form's file or text. */
export const MAX_POSTED_BYTES = 262_144;
export const MAX_FILE_BYTES = 20_000_000;
/** Most characters of a piece of lines, so that the request stays small. A single line may have more. */
export const PIECE_CHARACTERS = 40_000;
/** Days that an invitation of an import may wait for the mail provider. The longest validity leaves last. */
export const INVITATION_DAYS = 28;
/** Wrong lines that the screen shows; the file has all of them. */
export const SHOWN_WRONG = 50;

/**
 * Lines of an import that one request checks or imports. All of them take as many statements as one; what they cost is the
 * time to compute, and about 100 kB of values.
 */
export const IMPORT_LINES_AT_ONCE = 100;

export const IMPORT_LIMITS = {
  /** Lines of files, also of those that were not imported. */
  lines: { by: "user", max: 20_000, windowMs: HOUR_MS, beyond: "the import takes no more lines" },
} as const satisfies Record<string, RateLimit>;
