import { gt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { user } from "./schema/schema.ts";

// A literal 1 instead of a bound value, because only then SQLite can use the partial index on bans with an end.

export function isBannedAt(
  now: Date,
  of: { banned: SQLiteColumn; banExpires: SQLiteColumn } = user,
): SQL {
  return sql`(${of.banned} = 1 AND (${of.banExpires} IS NULL OR ${gt(of.banExpires, now)}))`;
}
