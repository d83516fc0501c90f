import { lt } from "drizzle-orm";
import { countedRequest, type RequestRule, secondsToWait } from "../../../db/counted-request.ts";
import type { Db } from "../../../db/db.server.ts";
import { rateLimit } from "../../../db/schema/schema.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { DAY_MS } from "../../../values/time.ts";
import { countWithFirst } from "./first-batch.server.ts";
import { currentScope } from "./scope.server.ts";

/**
 * Storage for better-auth's limits by IP address. It needs two statements for each request; better-auth's own needs
 * as many round trips and miscounts simultaneous requests. They are part of the call's first batch. `window` is
 * in seconds.
 */
export function createRateLimitStorage(db: Db, keys: Keys, now: () => Date) {
  return {
    async consume(client: string, rule: RequestRule) {
      // better-auth identifies a client by its IP address; the table stores only a hash.
      const key = await keys.mac("rate-limit", client);
      const row = await count(db, key, rule, now());
      const retryAfter = secondsToWait(row, rule, now()) ?? null;
      return { allowed: retryAfter === null, retryAfter };
    },
  };
}

function count(db: Db, key: string, rule: RequestRule, now: Date) {
  return countWithFirst(db, currentScope().first, countedRequest(db, key, rule, now));
}

/** Deletes counters whose window ended long ago. */
export async function pruneRateLimits(db: Db, now: Date): Promise<void> {
  await db.delete(rateLimit).where(lt(rateLimit.windowStart, new Date(now.getTime() - DAY_MS)));
}
