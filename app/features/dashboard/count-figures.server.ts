import { and, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { isInState } from "../../db/mail-criteria.ts";
import { COUNTED, figure, mailOutbox, slotCount } from "../../db/schema/schema.ts";
import { DAY_MS, HOUR_MS } from "../../values/time.ts";
import { PERIODS, SLOT_MS, slotOf } from "./days.ts";

/** The cron may run a little early. */
const TOLERANCE_MS = 30_000;
/** A code leaves or fails within minutes, so older slots do not change any more. */
const SETTLED_MS = 2 * HOUR_MS;
/** The longest day of any time zone, and the slot in which it begins. */
const LONGEST_DAY_MS = 26 * HOUR_MS;
/** Slots are kept as long as the chart shows them. */
const KEPT_MS = (Math.max(...PERIODS) + 10) * DAY_MS;

/**
 * Counts what no trigger counts: mails, and the codes of each slot that were sent or failed. Runs every quarter of an hour.
 * Deletes the slots that nothing shows any more.
 */
export async function countFigures(db: Db, now: Date): Promise<void> {
  const [last] = await db
    .select({ at: figure.countedAt })
    .from(figure)
    .orderBy(desc(figure.countedAt))
    .limit(1);
  const age = last ? now.getTime() - last.at.getTime() : Number.POSITIVE_INFINITY;
  if (age >= 0 && age < SLOT_MS - TOLERANCE_MS) return;
  const since = now.getTime() - Math.min(Math.max(age, 0) + SETTLED_MS, LONGEST_DAY_MS);
  const kept = new Date(now.getTime() - KEPT_MS);
  await db.batch([
    countMails(db, now),
    countCodes(db, "sent", new Date(since)),
    countCodes(db, "failed", new Date(since)),
    db
      .delete(slotCount)
      .where(and(inArray(slotCount.name, COUNTED), lt(slotCount.slot, slotOf(kept)))),
  ]);
}

function countMails(db: Db, now: Date) {
  const row = (name: string, criteria: SQL | undefined) =>
    sql`SELECT ${name}, (SELECT count(*) FROM ${mailOutbox} WHERE ${criteria}), ${now.getTime()}`;
  return db
    .insert(figure)
    .select(
      sql`${row("mails.waiting", isInState("waiting"))} UNION ALL ${row("mails.failed", isInState("failed"))}`,
    )
    .onConflictDoUpdate({
      target: figure.name,
      set: { value: sql`excluded.value`, countedAt: sql`excluded.counted_at` },
    });
}

/** Counts the codes that were queued since then, anew. */
function countCodes(db: Db, state: "sent" | "failed", since: Date) {
  const slot = sql`${mailOutbox.createdAt} / ${sql.raw(String(SLOT_MS))}`;
  const isCounted = and(
    eq(mailOutbox.kind, "login-code"),
    isInState(state),
    gte(mailOutbox.createdAt, new Date(slotOf(since) * SLOT_MS)),
  );
  return db
    .insert(slotCount)
    .select(
      sql`SELECT ${`code.${state}`}, ${slot}, count(*) FROM ${mailOutbox} WHERE ${isCounted} GROUP BY 2`,
    )
    .onConflictDoUpdate({
      target: [slotCount.name, slotCount.slot],
      set: { value: sql`excluded.value` },
    });
}
