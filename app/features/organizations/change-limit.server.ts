import type { SQL } from "drizzle-orm";
import { countedRequest, ruleOf, takeRequest } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { ORGANIZATION_LIMITS } from "../../values/rate-limits.ts";

/**
 * Counts a change that a user is about to make of any organization. Returns the seconds to wait when there were too many;
 * undefined while the limit allows it.
 */
export function takeChange(db: Db, userId: string, now: Date): Promise<number | undefined> {
  const rule = ruleOf(ORGANIZATION_LIMITS.changes);
  return takeRequest(db, `organization-change|${userId}`, rule, now);
}

/** Counts a new slug of an organization if `condition` holds (`countedRequest`). */
export function countedSlug(db: Db, key: SQL<string>, now: Date, condition: SQL) {
  return countedRequest(db, key, ruleOf(ORGANIZATION_LIMITS.slugs), now, condition);
}
