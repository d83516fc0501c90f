import { type SQL, sql } from "drizzle-orm";
import { ruleOf, takeRequest } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { rateLimit } from "../../db/schema/schema.ts";
import { USER_LIMITS } from "../../values/rate-limits.ts";

/**
 * Counts a change that a user is about to make. Returns the seconds to wait when there were too
 * many; undefined while the limit allows it.
 */
export function takeChange(
  db: Db,
  userId: string,
  now: Date,
  kind: keyof typeof USER_LIMITS = "changes",
): Promise<number | undefined> {
  return takeRequest(db, `${kind}|${userId}`, ruleOf(USER_LIMITS[kind]), now);
}

/** Returns the statement that deletes the counts of users. `leaving` is an SQL table with the column `id`. */
export function forgetChanges(db: Db, leaving: SQL) {
  const kinds = JSON.stringify(Object.keys(USER_LIMITS));
  return db
    .delete(rateLimit)
    .where(
      sql`${rateLimit.key} IN (SELECT kind.value || '|' || leaving.id FROM ${leaving} AS leaving, json_each(${kinds}) AS kind)`,
    );
}
