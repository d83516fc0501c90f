import { type SQL, sql } from "drizzle-orm";
import { countedRequest, ruleOf } from "../../../db/counted-request.ts";
import type { Db } from "../../../db/db.server.ts";
import { rateLimit } from "../../../db/schema/schema.ts";
import { ORGANIZATION_LIMITS } from "../../../values/rate-limits.ts";

/** Counts a new slug of an organization if `condition` holds (`countedRequest`). */
export function countedSlug(db: Db, key: SQL<string>, now: Date, condition: SQL) {
  return countedRequest(db, key, ruleOf(ORGANIZATION_LIMITS.slugs), now, condition);
}

/**
 * Counts the start of an organization's deletion if `condition` holds (`countedRequest`). `isFirst`
 * is the SQL condition that it is the first in the limit's window.
 */
export function countedDeletion(db: Db, key: SQL<string>, now: Date, condition: SQL) {
  const { deletions } = ORGANIZATION_LIMITS;
  const counted = countedRequest(db, key, ruleOf(deletions), now, condition);
  const isFirst = sql`(SELECT ${rateLimit.count} FROM ${rateLimit} WHERE ${rateLimit.key} = ${key}) = 1`;
  return { ...counted, isFirst };
}
