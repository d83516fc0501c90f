import type { RateLimit } from "../../values/rate-limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../values/time.ts";

/** Webhooks of the site, and of one organization. */
export const MAX_WEBHOOKS = { site: 20, organization: 10 } as const;

/** Deliveries stay so long, also those that were never made. */
export const DELIVERY_DAYS = 30;

/** The built-in bin keeps a request this long, and the last 20 of each webhook. */
export const BIN_MS = DAY_MS;

export const WEBHOOK_LIMITS = {
  /** Each asks a receiver at once. */
  samples: { by: "user", max: 20, windowMs: HOUR_MS, beyond: "TOO_MANY_REQUESTS" },
  /** New webhooks and new URLs of webhooks. Those who may change them are told of each. */
  made: { by: "user", max: 50, windowMs: DAY_MS, beyond: "TOO_MANY_REQUESTS" },
  /**
   * So that one organization neither floods a receiver nor keeps the platform busy. The site's own webhooks have no
   * limit.
   */
  deliveries: {
    by: "organization",
    max: 60,
    windowMs: MINUTE_MS,
    beyond: "the rest waits in its order",
  },
} as const satisfies Record<string, RateLimit>;
