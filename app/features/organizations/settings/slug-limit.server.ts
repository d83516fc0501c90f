import type { SQL } from "drizzle-orm";
import { countedRequest, ruleOf } from "../../../db/counted-request.ts";
import type { Db } from "../../../db/db.server.ts";
import { ORGANIZATION_LIMITS } from "../../../values/rate-limits.ts";

/** Counts a new slug of an organization if `condition` holds (`countedRequest`). */
export function countedSlug(db: Db, key: SQL<string>, now: Date, condition: SQL) {
  return countedRequest(db, key, ruleOf(ORGANIZATION_LIMITS.slugs), now, condition);
}
