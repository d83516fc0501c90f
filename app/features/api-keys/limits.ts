import type { RateLimit } from "../../values/rate-limits.ts";
import { DAY_MS, MINUTE_MS } from "../../values/time.ts";

export const API_KEY_LIMITS = {
  calls: { by: "API key", max: 600, windowMs: MINUTE_MS, beyond: "TOO_MANY_REQUESTS" },
  /** New and rotated keys. Each sends a mail. */
  made: { by: "user", max: 20, windowMs: DAY_MS, beyond: "TOO_MANY_REQUESTS" },
} as const satisfies Record<string, RateLimit>;
