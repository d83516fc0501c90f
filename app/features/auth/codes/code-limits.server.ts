import { and, count, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import { codeEvent, codeFailure, rateLimit, verification } from "../../../db/schema/schema.ts";
import { log } from "../../../runtime/log.ts";
import { DAY_MS, HOUR_MS } from "../../../values/time.ts";
import { CODE_TRIES } from "./code.ts";

/** Codes that may be sent from one budget. */
type Allowance = { perHour: number; perDay: number };

/** For one mailbox: all requests for a code count, from every client. */
const MAILBOX_ALLOWANCE: Allowance = { perHour: 5, perDay: 10 };
/** Additional codes for a browser that has signed in to the mailbox before. */
const DEVICE_ALLOWANCE: Allowance = { perHour: 3, perDay: 6 };

/** Consecutive wrong codes after which a mailbox is stopped for a day. */
const MAX_CONSECUTIVE_FAILURES = 100;
const STOP_MS = DAY_MS;
/** The alarm compares with the median hour of a week, but needs at least this many failures in an hour. */
const ALARM_FLOOR = 50;
const ALARM_FACTOR = 20;

/** Key in `rate_limit` for the time of the last alarm about the site's budget. */
const BUDGET_ALARM = "code-budget-alarm";

export type CodePermit =
  | {
      allowed: true;
      /** True when the whole site sent more codes than `siteBudget` in the last hour. */
      isOverSiteBudget: boolean;
    }
  | { allowed: false; retryAfterSeconds: number };

type CodeRequest = {
  mailbox: string;
  trustedDevice: string | undefined;
  isCaptchaSolved: boolean;
  /** Codes in an hour over the whole site. Above it an alarm is logged, and nothing is refused. */
  siteBudget: number;
};

/**
 * Result of a statement that takes a code: a row with the site's codes of the last hour, or none when the budget is
 * used up.
 */
export type Taken = { sent: number }[];

/**
 * Takes one code from a mailbox's budget, or from the budget of a trusted device. One statement counts and takes, so
 * that simultaneous requests cannot both get the last code.
 */
export async function takeCode(db: Db, request: CodeRequest, now: Date): Promise<CodePermit> {
  const [ofMailbox, ofDevice] = takeStatements(db, request, now);
  const taken = await db.batch([ofMailbox(sql`true`), ofDevice(sql`true`)]);
  return permitFor(db, request, taken, now);
}

/**
 * Returns the two statements that take a code: from the mailbox's budget, and if that gave none, from the trusted
 * device's. Each is a function of a further condition.
 */
export function takeStatements(
  db: Db,
  { mailbox, trustedDevice, isCaptchaSolved, siteBudget }: CodeRequest,
  now: Date,
) {
  const id = crypto.randomUUID();
  const isOpen = isCaptchaSolved ? sql`true` : sql`NOT ${isStopped(mailbox, now)}`;
  const isTaken = and(
    eq(codeEvent.budget, mailbox),
    eq(codeEvent.kind, "sent"),
    eq(codeEvent.createdAt, now),
    eq(codeEvent.id, id),
  );
  const isLeft = sql`NOT EXISTS (SELECT 1 FROM ${codeEvent} WHERE ${isTaken})`;
  const hasDevice = sql`${trustedDevice !== undefined}`;
  const ofMailbox = { id, budget: mailbox, ...MAILBOX_ALLOWANCE };
  const ofDevice = {
    id: crypto.randomUUID(),
    budget: `${mailbox} ${trustedDevice}`,
    ...DEVICE_ALLOWANCE,
  };
  return [
    (isAllowed: SQL) => take(db, ofMailbox, sql`${isAllowed} AND ${isOpen}`, siteBudget, now),
    (isAllowed: SQL) =>
      take(db, ofDevice, sql`${isAllowed} AND ${hasDevice} AND ${isLeft}`, siteBudget, now),
  ] as const;
}

/** Turns the results of the two statements into a permit. Queries the waiting time when they took nothing. */
export async function permitFor(
  db: Db,
  { mailbox, siteBudget }: Pick<CodeRequest, "mailbox" | "siteBudget">,
  taken: Taken[],
  now: Date,
): Promise<CodePermit> {
  const [row] = taken.flat();
  return row
    ? { allowed: true, isOverSiteBudget: row.sent > siteBudget }
    : { allowed: false, retryAfterSeconds: await secondsUntilFree(db, mailbox, now) };
}

/** Takes a code from a budget, and counts the whole site's codes up to one above `siteBudget`. */
function take(
  db: Db,
  { id, budget, perHour, perDay }: Allowance & { id: string; budget: string },
  condition: SQL,
  siteBudget: number,
  now: Date,
) {
  const sentSince = (ms: number) =>
    sql`(SELECT count(*) FROM ${codeEvent} WHERE ${codeEvent.budget} = ${budget} AND ${codeEvent.kind} = 'sent' AND ${codeEvent.createdAt} > ${now.getTime() - ms})`;
  const row = rowValues(codeEvent, { id, budget, kind: "sent", createdAt: now });
  return db
    .insert(codeEvent)
    .select(
      sql`SELECT ${row}
      WHERE ${condition} AND ${sentSince(HOUR_MS)} < ${perHour} AND ${sentSince(DAY_MS)} < ${perDay}`,
    )
    .returning({
      sent: sql<number>`(SELECT count(*) FROM (
        SELECT 1 FROM code_event WHERE kind = 'sent' AND created_at > ${now.getTime() - HOUR_MS} LIMIT ${siteBudget + 1}
      ))`,
    });
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
  const [row] = await db
    .select({ sent: count() })
    .from(codeEvent)
    .where(
      and(eq(codeEvent.kind, "sent"), gt(codeEvent.createdAt, new Date(now.getTime() - HOUR_MS))),
    );
  log("error", "auth.code_budget_exceeded", { sent: row?.sent, budget });
}

async function secondsUntilFree(db: Db, mailbox: string, now: Date): Promise<number> {
  const sent = await db
    .select({ at: codeEvent.createdAt })
    .from(codeEvent)
    .where(
      and(
        eq(codeEvent.budget, mailbox),
        eq(codeEvent.kind, "sent"),
        gt(codeEvent.createdAt, new Date(now.getTime() - DAY_MS)),
      ),
    )
    .orderBy(sql`${codeEvent.createdAt} DESC`)
    .limit(MAILBOX_ALLOWANCE.perDay);
  const fifth = sent[MAILBOX_ALLOWANCE.perHour - 1]?.at.getTime();
  const tenth = sent[MAILBOX_ALLOWANCE.perDay - 1]?.at.getTime();
  const freeAt = Math.max(
    fifth === undefined ? 0 : fifth + HOUR_MS,
    tenth === undefined ? 0 : tenth + DAY_MS,
  );
  // When neither budget is full, the mailbox is stopped.
  const wait = freeAt > now.getTime() ? freeAt - now.getTime() : STOP_MS;
  return Math.ceil(wait / 1_000);
}

/** SQL condition: 100 consecutive wrong codes, the last within a day, have stopped the mailbox. */
function isStopped(mailbox: string, now: Date): SQL {
  return sql`EXISTS (SELECT 1 FROM ${codeFailure} WHERE ${codeFailure.mailbox} = ${mailbox} AND ${codeFailure.consecutive} >= ${MAX_CONSECUTIVE_FAILURES} AND ${codeFailure.lastFailedAt} > ${now.getTime() - STOP_MS})`;
}

/** Query that returns one row when a mailbox is stopped, and none otherwise. */
export function stoppedQuery(db: Db, mailbox: string, now: Date) {
  return db
    .select({ mailbox: codeFailure.mailbox })
    .from(codeFailure)
    .where(and(eq(codeFailure.mailbox, mailbox), isStopped(mailbox, now)));
}

/**
 * Counts a wrong code. Returns the number of wrong codes since the last code was sent. The last try also deletes the
 * code that better-auth stores as `identifier`: of simultaneous guesses better-auth counts only one, so by its count
 * there would be tries left.
 */
export async function recordFailure(
  db: Db,
  mailbox: string,
  now: Date,
  identifier = "",
): Promise<number> {
  const [event, failures, spent, tries] = failureStatements(db, mailbox, now, identifier);
  const [, , , counted] = await db.batch([event, failures, spent, tries]);
  return counted[0]?.tries ?? 0;
}

/** Returns the statements of `recordFailure`; the last one returns the number of tries. */
export function failureStatements(db: Db, mailbox: string, now: Date, identifier: string) {
  // The budget names of a mailbox's devices begin with its own name and a space; "!" is the next character after the
  // space.
  const isOfMailbox = sql`${codeEvent.budget} >= ${mailbox} AND ${codeEvent.budget} < ${`${mailbox}!`}`;
  const lastSent = sql`(SELECT coalesce(max(created_at), 0) FROM code_event WHERE ${isOfMailbox} AND kind = 'sent')`;
  const tries = sql<number>`(SELECT count(*) FROM code_event WHERE budget = ${mailbox} AND kind = 'failed' AND created_at >= ${lastSent})`;
  return [
    db
      .insert(codeEvent)
      .values({ id: crypto.randomUUID(), budget: mailbox, kind: "failed", createdAt: now }),
    db
      .insert(codeFailure)
      .values({ mailbox, consecutive: 1, lastFailedAt: now })
      .onConflictDoUpdate({
        target: codeFailure.mailbox,
        set: { consecutive: sql`${codeFailure.consecutive} + 1`, lastFailedAt: now },
      }),
    db
      .delete(verification)
      .where(and(eq(verification.identifier, identifier), sql`${tries} >= ${CODE_TRIES}`)),
    db.select({ tries: tries.as("tries") }).from(sql`(SELECT 1)`),
  ] as const;
}

/** Statement that resets the consecutive wrong codes, after the right code or a solved captcha. */
export function forgetFailures(db: Db, mailbox: string) {
  return db.delete(codeFailure).where(eq(codeFailure.mailbox, mailbox));
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

/** Deletes events that no rule needs any more. */
export async function pruneCodeEvents(db: Db, now: Date): Promise<void> {
  await db.batch([
    db
      .delete(codeEvent)
      .where(
        and(
          inArray(codeEvent.kind, ["sent", "failed"]),
          lt(codeEvent.createdAt, new Date(now.getTime() - 60 * DAY_MS)),
        ),
      ),
    db
      .delete(codeFailure)
      .where(lt(codeFailure.lastFailedAt, new Date(now.getTime() - 60 * DAY_MS))),
  ]);
}
