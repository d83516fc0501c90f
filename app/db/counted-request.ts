import { sql } from "drizzle-orm";
import type { Db } from "./db.server.ts";
import { rateLimit } from "./schema/schema.ts";

/** Requests that one client may send in `window` seconds. */
export type RequestRule = { window: number; max: number };

/**
 * Returns the statement that counts a request of a client, and the SQL condition that the limit then allows it, for the
 * statements after it in the same batch. `key` is a hash, because the table stores no IP address.
 */
export function countedRequest(db: Db, key: string, { window, max }: RequestRule, now: Date) {
  const nowMs = now.getTime();
  const isOver = sql`${rateLimit.windowStart} <= ${nowMs - window * 1_000}`;
  const statement = db
    .insert(rateLimit)
    .values({ key, count: 1, windowStart: now })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${rateLimit.count} + 1 END`,
        windowStart: sql`CASE WHEN ${isOver} THEN ${nowMs} ELSE ${rateLimit.windowStart} END`,
      },
    })
    .returning();
  const isAllowed = sql`(SELECT ${rateLimit.count} FROM ${rateLimit} WHERE ${rateLimit.key} = ${key}) <= ${max}`;
  return { statement, isAllowed };
}

/** Returns the seconds until a client may ask again; undefined while the limit allows it. */
export function secondsToWait(
  row: typeof rateLimit.$inferSelect | undefined,
  { window, max }: RequestRule,
  now: Date,
): number | undefined {
  if (!row || row.count <= max) return undefined;
  const endsAt = row.windowStart.getTime() + window * 1_000;
  return Math.max(1, Math.ceil((endsAt - now.getTime()) / 1_000));
}
