import { and, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import { codeEvent } from "../../../db/schema/schema.ts";
import { MAIL_LIMITS, NEW_EMAILS, type RateLimit } from "../../../values/rate-limits.ts";
import { DAY_MS, HOUR_MS } from "../../../values/time.ts";
import { pruneSignInCodes } from "./sign-in-codes.server.ts";

/** The alarm compares with the median hour of a week, but needs at least this many failures in an hour. */
const ALARM_FLOOR = 50;
const ALARM_FACTOR = 20;

type CodeEvent = typeof codeEvent.$inferSelect;

/**
 * Takes a code for a signed-in user from the limits of their own mailbox, or of the new e-mail that they want. One
 * statement counts and takes, so that simultaneous requests cannot both get the last code. Returns the seconds to wait
 * when nothing is left.
 */
export async function takeAccountCode(
  db: Db,
  {
    mailbox,
    newMailbox,
    network,
  }: { mailbox: string; newMailbox: string | undefined; network: string },
  now: Date,
): Promise<{ ok: true } | { ok: false; retryAfterSeconds: number }> {
  const id = crypto.randomUUID();
  const sent = { id, kind: "sent", createdAt: now, network } as const;
  if (newMailbox === undefined) {
    const budget = ownBudget(mailbox);
    const [taken, oldest] = await db.batch([
      take(db, { ...sent, budget }, hasRoom(MAIL_LIMITS.ownCodes, budget, "sent", now)),
      selectOldest(db, MAIL_LIMITS.ownCodes, budget, "sent", now),
    ]);
    return taken.meta.changes > 0 ? { ok: true } : waitFor(MAIL_LIMITS.ownCodes, oldest, now);
  }
  const budget = `${newMailbox} new`;
  const named = {
    id: newMailbox,
    kind: "named",
    budget: ownBudget(mailbox),
    createdAt: now,
    network: null,
  } as const;
  // An e-mail that the user has named already counts once.
  const mayName = sql`(SELECT count(DISTINCT ${codeEvent.id}) FROM ${codeEvent} WHERE ${and(
    within(NEW_EMAILS, named.budget, "named", now),
    sql`${codeEvent.id} <> ${newMailbox}`,
  )}) < ${NEW_EMAILS.max}`;
  const [taken, , oldest, oldestName] = await db.batch([
    take(
      db,
      { ...sent, budget },
      sql`${hasRoom(MAIL_LIMITS.newEmailCodes, budget, "sent", now)} AND ${mayName}`,
    ),
    // Two requests of one moment name it once.
    take(db, named, mayName).onConflictDoNothing(),
    selectOldest(db, MAIL_LIMITS.newEmailCodes, budget, "sent", now),
    selectOldest(db, NEW_EMAILS, named.budget, "named", now),
  ]);
  if (taken.meta.changes > 0) return { ok: true };
  const isFull = oldest[0] && oldest[0].count >= MAIL_LIMITS.newEmailCodes.max;
  return isFull
    ? waitFor(MAIL_LIMITS.newEmailCodes, oldest, now)
    : waitFor(NEW_EMAILS, oldestName, now);
}

/** Names of a mailbox's own budgets begin with its hash and a space: the erasure of an account finds them so. */
function ownBudget(mailbox: string): string {
  return `${mailbox} own`;
}

function within(
  { windowMs }: RateLimit,
  budget: string,
  kind: CodeEvent["kind"],
  now: Date,
): SQL | undefined {
  return and(
    eq(codeEvent.budget, budget),
    eq(codeEvent.kind, kind),
    gt(codeEvent.createdAt, new Date(now.getTime() - windowMs)),
  );
}

function hasRoom(limit: RateLimit, budget: string, kind: CodeEvent["kind"], now: Date): SQL {
  return sql`(SELECT count(*) FROM ${codeEvent} WHERE ${within(limit, budget, kind, now)}) < ${limit.max}`;
}

function take(db: Db, event: CodeEvent, condition: SQL) {
  return db.insert(codeEvent).select(sql`SELECT ${rowValues(codeEvent, event)} WHERE ${condition}`);
}

function selectOldest(
  db: Db,
  limit: RateLimit,
  budget: string,
  kind: CodeEvent["kind"],
  now: Date,
) {
  return db
    .select({
      at: sql<number | null>`min(${codeEvent.createdAt})`.as("at"),
      count: sql<number>`count(*)`.as("count"),
    })
    .from(codeEvent)
    .where(within(limit, budget, kind, now));
}

function waitFor({ windowMs }: RateLimit, [row]: { at: number | null }[], now: Date) {
  const freeAt = (row?.at ?? now.getTime()) + windowMs;
  const retryAfterSeconds = Math.max(1, Math.ceil((freeAt - now.getTime()) / 1_000));
  return { ok: false as const, retryAfterSeconds };
}

/** Counts a wrong account code, for the alarm and the dashboard. Its three tries are the limit. */
export async function recordFailure(db: Db, mailbox: string, now: Date): Promise<void> {
  const budget = ownBudget(mailbox);
  const event = { id: crypto.randomUUID(), budget, kind: "failed", createdAt: now } as const;
  await db.insert(codeEvent).values(event);
}

/**
 * Compares the wrong codes of the last hour, over the whole site, with 20 times the median hour of the week before.
 * Returns both figures.
 */
export async function measureFailures(db: Db, now: Date) {
  // D1 binds every number as a REAL, so the division must be cast to whole hours.
  const hours = await db.all<{ hour: number; failures: number }>(
    sql`SELECT CAST((${now.getTime()} - created_at) / ${HOUR_MS} AS INTEGER) AS hour, count(*) AS failures FROM code_event
      WHERE kind = 'failed' AND created_at > ${now.getTime() - 7 * DAY_MS} GROUP BY hour`,
  );
  const lastHour = hours.find((row) => row.hour === 0)?.failures ?? 0;
  const before = Array.from(
    { length: 7 * 24 - 1 },
    (_, index) => hours.find((row) => row.hour === index + 1)?.failures ?? 0,
  ).sort((a, b) => a - b);
  const median = before[Math.floor(before.length / 2)] ?? 0;
  return {
    lastHour,
    median,
    isAlarming: lastHour >= ALARM_FLOOR && lastHour > ALARM_FACTOR * median,
  };
}

/** Deletes codes and events that no rule needs any more; the alarm compares the wrong codes of a week. */
export async function pruneCodeEvents(db: Db, now: Date): Promise<void> {
  await db.batch([
    pruneSignInCodes(db, now),
    db
      .delete(codeEvent)
      .where(
        and(
          inArray(codeEvent.kind, ["sent", "failed", "named"]),
          lt(codeEvent.createdAt, new Date(now.getTime() - 8 * DAY_MS)),
        ),
      ),
  ]);
}
