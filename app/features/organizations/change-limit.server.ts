import type { SQL } from "drizzle-orm";
import { countedRequest, secondsToWait } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { ORGANIZATION_LIMITS, type RateLimit } from "../../values/rate-limits.ts";

function ruleOf({ max, windowMs }: RateLimit) {
  return { max, window: windowMs / 1_000 };
}

/**
 * Counts a change that a user is about to make of any organization. Returns the seconds to wait when there were too many;
 * undefined while the limit allows it.
 */
export async function takeChange(db: Db, userId: string, now: Date): Promise<number | undefined> {
  const rule = ruleOf(ORGANIZATION_LIMITS.changes);
  const { statement } = countedRequest(db, `organization-change|${userId}`, rule, now);
  const [row] = await statement;
  return secondsToWait(row, rule, now);
}

/** Statement that counts a new slug of an organization if `condition` holds, and the SQL condition that the limit allows it. */
export function countedSlug(db: Db, key: SQL<string>, now: Date, condition: SQL) {
  return countedRequest(db, key, ruleOf(ORGANIZATION_LIMITS.slugs), now, condition);
}
