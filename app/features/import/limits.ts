import type { RateLimit } from "../../values/rate-limits.ts";
import { HOUR_MS } from "../../values/time.ts";

/** Fields of a person in an imported line. */
export const IMPORT_FIELDS = ["email", "name", "role", "language"] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/**
 * Most lines of an import by the site's plan. The free plan, which is for trying, computes 10 ms in
 * a request, and a request reads and checks the whole file.
 */
export const MAX_LINES = { free: 100, paid: 10_000 } as const;
/** Most bytes of a file or of pasted text. */
export const MAX_FILE_BYTES = 2_000_000;
/** Lines that one ring of the alarm makes users of, in one batch. */
export const LINES_AT_ONCE = 100;
/** Days that an invitation of an import may wait for the mail provider. The longest validity leaves last. */
export const INVITATION_DAYS = 28;
/** Wrong lines that the screen shows; the file has all of them. */
export const SHOWN_WRONG = 50;

export const IMPORT_LIMITS = {
  /** Lines of files, also of those that were not imported. */
  lines: { by: "user", max: 20_000, windowMs: HOUR_MS, beyond: "the import takes no more lines" },
} as const satisfies Record<string, RateLimit>;

/** New users that the check shows as they were read. */
export const SHOWN_NEW = 5;
