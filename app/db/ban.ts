import { gt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { user } from "./schema/schema.ts";

// A literal 1 instead of a bound value, because only then SQLite can use the partial index on bans with an end.

export function isBannedAt(
  now: Date,
  of: { banned: SQLiteColumn; banExpires: SQLiteColumn } = user,
): SQL {
  return sql`(${of.banned} = 1 AND (${of.banExpires} IS NULL OR ${gt(of.banExpires, now)}))`;
}

/** SQL condition: the user's ban has ended. The row still says that the user is banned. */
export function hasBanEnded(now: Date): SQL {
  return sql`(${user.banned} = 1 AND ${lte(user.banExpires, now)})`;
}
