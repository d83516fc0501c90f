import { ruleOf, takeRequest } from "../../db/counted-request.ts";
import type { Db } from "../../db/db.server.ts";
import { USER_LIMITS } from "../../values/rate-limits.ts";

/**
 * Counts a change that a user is about to make. Returns the seconds to wait when there were too many; undefined while the
 * limit allows it.
 */
export function takeChange(
  db: Db,
  userId: string,
  now: Date,
  kind: keyof typeof USER_LIMITS = "changes",
): Promise<number | undefined> {
  return takeRequest(db, `${kind}|${userId}`, ruleOf(USER_LIMITS[kind]), now);
}
