import { type SQL, sql } from "drizzle-orm";
import type { Db } from "./db.server.ts";
import { rowValues } from "./row-values.ts";
import { rateLimit } from "./schema/schema.ts";

/** Requests that one client may send in `window` seconds. */
export type RequestRule = { window: number; max: number };

export function ruleOf({ max, windowMs }: { max: number; windowMs: number }): RequestRule {
  return { max, window: windowMs / 1_000 };
}

/**
 * Returns two statements, which count a request of a client and read its row, and the SQL condition that the limit then
 * allows it, for the statements after them in the same batch. Only what meets `condition` is counted. A refused request
 * after the first one writes nothing. `key` is a hash where it would hold an IP address, because the table stores none.
 */
export function countedRequest(
  db: Db,
  key: string | SQL<string>,
  { window, max }: RequestRule,
  now: Date,
  condition: SQL = sql`true`,
) {
  const nowMs = now.getTime();
  const isOver = sql`${rateLimit.windowStart} <= ${nowMs - window * 1_000}`;
  const count = db
    .insert(rateLimit)
    .select(
      sql`SELECT ${rowValues(rateLimit, { key, count: 1, windowStart: now })} WHERE ${condition}`,
    )
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: {
        count: sql`CASE WHEN ${isOver} THEN 1 ELSE ${rateLimit.count} + 1 END`,
        windowStart: sql`CASE WHEN ${isOver} THEN ${nowMs} ELSE ${rateLimit.windowStart} END`,
      },
      setWhere: sql`${isOver} OR ${rateLimit.count} <= ${max}`,
    });
  const read = db.select().from(rateLimit).where(sql`${rateLimit.key} = ${key}`);
  const isAllowed = sql`coalesce((SELECT ${rateLimit.count} FROM ${rateLimit} WHERE ${rateLimit.key} = ${key}), 0) <= ${max}`;
  return { count, read, isAllowed };
}

/** Counts a request. Returns the seconds to wait when there were too many; undefined while the limit allows it. */
export async function takeRequest(
  db: Db,
  key: string,
  rule: RequestRule,
  now: Date,
): Promise<number | undefined> {
  const { count, read } = countedRequest(db, key, rule, now);
  const [, [row]] = await db.batch([count, read]);
  return secondsToWait(row, rule, now);
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
