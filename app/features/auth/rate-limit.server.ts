import { lt, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { rateLimit } from "../../db/schema/schema.ts";
import type { Keys } from "../../keys.server.ts";

type Rule = { window: number; max: number };

/**
 * Storage for better-auth's limits by client address: one statement a request, where its own takes two to four and
 * counts requests at the same moment apart. `window` is in seconds.
 */
export function createRateLimitStorage(db: Db, keys: Keys, now: () => Date) {
  return {
    async consume(client: string, rule: Rule) {
      // better-auth names a client by its IP address; the table holds none.
      const key = await keys.mac("rate-limit", client);
      const nowMs = now().getTime();
      const windowMs = rule.window * 1_000;
      const isOver = sql`${rateLimit.windowStart} <= ${nowMs - windowMs}`;
      const [row] = await db
        .insert(rateLimit)
        .values({ key, count: 1, windowStart: new Date(nowMs) })
        .onConflictDoUpdate({
          target: rateLimit.key,
          set: {
            count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${rateLimit.count} + 1 END`,
            windowStart: sql`CASE WHEN ${isOver} THEN ${nowMs} ELSE ${rateLimit.windowStart} END`,
          },
        })
        .returning();
      if (!row || row.count <= rule.max) return { allowed: true, retryAfter: null };
      const retryAfter = Math.ceil((row.windowStart.getTime() + windowMs - nowMs) / 1_000);
      return { allowed: false, retryAfter: Math.max(1, retryAfter) };
    },
  };
}

/** Forgets counters whose window ended long ago. */
export async function pruneRateLimits(db: Db, now: Date): Promise<void> {
  await db.delete(rateLimit).where(lt(rateLimit.windowStart, new Date(now.getTime() - 86_400_000)));
}
