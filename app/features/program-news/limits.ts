import type { RateLimit } from "../../values/rate-limits.ts";
import { DAY_MS } from "../../values/time.ts";

export const NEWS_LIMITS = {
  /** Mails that tell of all changes since the one before. */
  mails: { by: "organization", max: 3, windowMs: DAY_MS, beyond: "told with the next mail" },
} as const satisfies Record<string, RateLimit>;
