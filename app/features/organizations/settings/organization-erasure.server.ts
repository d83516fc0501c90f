import { and, asc, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { recordAndChange } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { organization } from "../../../db/schema/schema.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { ERASED_IN_A_RUN, type Plan } from "../../../values/platform-limits.ts";
import { HOUR_MS } from "../../../values/time.ts";
import { cronSource, eventOf } from "../../audit/audit.server.ts";

/**
 * Erases some of the organizations that are due, the untried ones first; the next run goes on. One
 * failure does not stop the others. It is retried after an hour. The sweep deletes the logos, which
 * no row names any more.
 */
export async function eraseDueOrganizations(db: Db, plan: Plan, now: Date): Promise<void> {
  const { id, deletionDueAt, erasureTriedAt } = organization;
  const anHourAgo = new Date(now.getTime() - HOUR_MS);
  const due = await db
    .select({ id })
    .from(organization)
    .where(and(isDue(now), or(isNull(erasureTriedAt), lte(erasureTriedAt, anHourAgo))))
    .orderBy(asc(erasureTriedAt), asc(deletionDueAt), asc(id))
    .limit(ERASED_IN_A_RUN[plan]);
  for (const one of due) {
    try {
      await erase(db, one.id, now);
      log("info", "organization.erased", { organization: one.id });
    } catch (error) {
      const details = describeError(error);
      log("error", "organization.erasure_failed", { organization: one.id, ...details });
      await db.update(organization).set({ erasureTriedAt: now }).where(eq(id, one.id));
    }
  }
}

/**
 * Erases one organization in one batch, if it is still due: one that was restored meanwhile stays
 * complete. Its members, teams, invitations and old slugs go with it; triggers end it in sessions.
 */
async function erase(db: Db, id: string, now: Date): Promise<void> {
  const isThis = and(eq(organization.id, id), isDue(now));
  const name = sql<string>`(SELECT json_object('name', ${organization.name}) FROM ${organization} WHERE ${isThis})`;
  await recordAndChange(db, {
    when: sql`EXISTS (SELECT 1 FROM ${organization} WHERE ${isThis})`,
    event: eventOf(cronSource(now), {
      action: "organization.erased",
      actorId: null,
      target: { type: "organization", id },
      details: name,
    }),
    changes: (isRecorded) => ({
      erased: db.delete(organization).where(and(eq(organization.id, id), isRecorded)),
    }),
  });
}

/** SQL condition: the grace period of an organization is over. */
function isDue(now: Date) {
  return and(isNotNull(organization.deletionDueAt), lte(organization.deletionDueAt, now));
}
