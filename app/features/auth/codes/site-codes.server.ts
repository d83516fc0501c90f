import { and, count, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { codeEvent, rateLimit, signInCode } from "../../../db/schema/schema.ts";
import { log } from "../../../runtime/log.ts";
import { HOUR_MS } from "../../../values/time.ts";

/** Key in `rate_limit` for the time of the last alarm about the site's budget. */
const BUDGET_ALARM = "code-budget-alarm";

/** SQL expression: the codes of the whole site in the last hour, counted up to one above its budget. */
export function siteCodes(budget: number, now: Date): SQL<number> {
  const since = now.getTime() - HOUR_MS;
  return sql<number>`(SELECT count(*) FROM (
    SELECT 1 FROM sign_in_code WHERE sent_at > ${since}
    UNION ALL SELECT 1 FROM code_event WHERE kind = 'sent' AND created_at > ${since}
    LIMIT ${budget + 1}
  ))`;
}

/** Query for the same. */
export function selectSent(db: Db, budget: number, now: Date) {
  return db.select({ sent: siteCodes(budget, now).as("sent") }).from(sql`(SELECT 1)`);
}

/**
 * Logs that the site sent more codes in the last hour than its budget, at most once an hour, with both figures. Its
 * statements run after the answer, and only above the budget.
 */
export async function reportSiteBudget(db: Db, budget: number, now: Date): Promise<void> {
  const [isDue] = await db
    .insert(rateLimit)
    .values({ key: BUDGET_ALARM, count: 1, windowStart: now })
    .onConflictDoUpdate({
      target: rateLimit.key,
      set: { windowStart: now },
      setWhere: lt(rateLimit.windowStart, new Date(now.getTime() - HOUR_MS)),
    })
    .returning();
  if (!isDue) return;
  const since = new Date(now.getTime() - HOUR_MS);
  const [[signIns], [others]] = await db.batch([
    db.select({ sent: count() }).from(signInCode).where(gt(signInCode.sentAt, since)),
    db
      .select({ sent: count() })
      .from(codeEvent)
      .where(and(eq(codeEvent.kind, "sent"), gt(codeEvent.createdAt, since))),
  ]);
  log("error", "auth.code_budget_exceeded", {
    sent: (signIns?.sent ?? 0) + (others?.sent ?? 0),
    budget,
  });
}
