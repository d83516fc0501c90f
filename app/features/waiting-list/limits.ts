import type { RateLimit } from "../../values/rate-limits.ts";
import { HOUR_MS, MINUTE_MS } from "../../values/time.ts";

export const WAITING_LIST_LIMITS = {
  byClient: { by: "IP address", max: 10, windowMs: MINUTE_MS, beyond: "TOO_MANY_REQUESTS" },
  /** More people than this never ask in an hour: rows of an attack would hide the real ones. */
  ofSite: { by: "site", max: 200, windowMs: HOUR_MS, beyond: "TOO_MANY_REQUESTS" },
  /** Of those, what networks may take that asked more often than `fewOfNetwork`. The rest is for the others. */
  ofBusyNetworks: { by: "site", max: 150, windowMs: HOUR_MS, beyond: "TOO_MANY_REQUESTS" },
  fewOfNetwork: { by: "network", max: 3, windowMs: HOUR_MS, beyond: "`ofBusyNetworks`" },
} as const satisfies Record<string, RateLimit>;
