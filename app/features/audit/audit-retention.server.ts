import { sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { auditDeletion, auditEvent } from "../../db/schema/schema.ts";
import { DAY_MS } from "../../values/time.ts";

/** So that one run of the cron stays short; the next run continues. */
const EVENTS_PER_RUN = 10_000;

/**
 * Deletes the audit events that are older than `keepDays`, the oldest first. Triggers refuse every deletion without the
 * row of `audit_deletion`, which no other statement sees: the batch writes it and deletes it again.
 */
export async function pruneAudit(db: Db, keepDays: number, now: Date): Promise<void> {
  const until = new Date(now.getTime() - keepDays * DAY_MS);
  const position = sql`${auditEvent.createdAt}, ${auditEvent.id}`;
  await db.batch([
    db.insert(auditDeletion).values({ until }),
    db
      .delete(auditEvent)
      .where(
        sql`(${position}) IN (SELECT ${position} FROM ${auditEvent} WHERE ${auditEvent.createdAt} < ${until.getTime()} ORDER BY ${position} LIMIT ${EVENTS_PER_RUN})`,
      ),
    db.delete(auditDeletion),
  ]);
}
