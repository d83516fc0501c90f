import { and, desc, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { idsIn } from "../../../db/ids-in.ts";
import { readOf } from "../../../db/read.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import { signInStep, user } from "../../../db/schema/schema.ts";
import type { RequestInfo } from "../../../http/request-context.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { DAY_MS, HOUR_MS } from "../../../values/time.ts";
import { describeDevice } from "../../../values/user-agent.server.ts";
import { type Asker, asksForMany } from "./sign-in-codes.server.ts";
import { OUTCOMES, type Outcome, STEP_DAYS } from "./sign-in-steps.ts";

/**
 * Limits of the rows of one hour about e-mails without an account, which anyone can cause. A
 * network has rows for as many mailboxes as it may ask for while the site is busy. An e-mail with
 * an account has one row a kind an hour.
 */
const STRANGERS_AN_HOUR = 300;

/** Values of `sign_in_step.part`. */
const PART = { stranger: 0, account: 1, entered: 2 } as const;

type Step = {
  asker: Asker;
  email: string;
  /** An SQL expression if only the batch knows it. NULL writes nothing. */
  outcome: Outcome | SQL;
  /** True for a step that matters only for an e-mail with an account. */
  needsAccount?: boolean;
};

/**
 * Statement that counts what happened at the sign-in of a mailbox, in one row. It is the same for
 * every e-mail.
 */
export function stepStatement(
  db: Db,
  { asker, email, outcome, needsAccount = false }: Step,
  { id: requestId, now, clientIpAddress, userAgent, location }: RequestInfo,
) {
  const at = now();
  const hour = hourOf(at);
  const isEntered = typeof outcome === "string" && outcome.startsWith("entered");
  const strangers = sql`SELECT 1 FROM sign_in_step WHERE hour = ${hour} AND part = ${PART.stranger} LIMIT 1 OFFSET ${STRANGERS_AN_HOUR - 1}`;
  const hasRoom = sql`(${needsAccount ? sql`false` : sql`true`} AND NOT EXISTS (${strangers}) AND NOT ${asksForMany(asker)})`;
  const part = sql`CASE WHEN ${isEntered ? sql`true` : sql`false`} THEN ${PART.entered}
    WHEN step.user_id IS NOT NULL THEN ${PART.account} ELSE ${PART.stranger} END`;
  return db
    .insert(signInStep)
    .select(
      sql`SELECT ${rowValues(signInStep, {
        hour,
        part,
        mailbox: asker.mailboxes[0],
        outcome: sql`step.outcome`,
        count: 1,
        firstAt: at,
        lastAt: at,
        userId: sql`step.user_id`,
        ipAddress: clientIpAddress ?? null,
        userAgent: userAgent ?? null,
        place: location ?? null,
        requestId,
      })} FROM (SELECT ${outcome} AS outcome,
        (SELECT ${user.id} FROM ${user} WHERE ${user.email} = ${email}) AS user_id) AS step
      WHERE step.outcome IS NOT NULL
        AND (${isEntered ? sql`true` : sql`false`} OR step.user_id IS NOT NULL OR ${hasRoom})`,
    )
    .onConflictDoUpdate({
      target: [signInStep.hour, signInStep.part, signInStep.mailbox, signInStep.outcome],
      set: {
        count: sql`${signInStep.count} + 1`,
        lastAt: sql`excluded.last_at`,
        userId: sql`excluded.user_id`,
        ipAddress: sql`excluded.ip_address`,
        userAgent: sql`excluded.user_agent`,
        place: sql`excluded.place`,
        requestId: sql`excluded.request_id`,
      },
    });
}

/** Writes a step after the answer. A failure is logged and changes nothing for the person. */
export async function noteStep(db: Db, step: Step, info: RequestInfo): Promise<void> {
  try {
    await stepStatement(db, step, info);
  } catch (error) {
    log("warn", "auth.step_not_noted", { request: info.id, ...describeError(error) });
  }
}

function hourOf(date: Date): number {
  return Math.floor(date.getTime() / HOUR_MS);
}

/**
 * SQL condition: kept rows of these mailboxes. The hour comes first in the key, so each hour is
 * looked up.
 */
export function isStepOf(mailboxes: SQL | string[], now: Date): SQL {
  const first = hourOf(now) - STEP_DAYS * 24;
  const hours = Array.from({ length: STEP_DAYS * 24 + 1 }, (_, index) => first + index);
  const isMailbox = Array.isArray(mailboxes)
    ? inArray(signInStep.mailbox, mailboxes)
    : sql`${signInStep.mailbox} IN (${mailboxes})`;
  return sql`(${signInStep.hour} IN (SELECT value FROM json_each(${JSON.stringify(hours)}))
    AND ${signInStep.part} IN (0, 1, 2) AND ${isMailbox})`;
}

/** The steps of a mailbox, by its hashes, the newest first. */
export function stepsOf(mailboxes: string[], now: Date) {
  return readOf(
    (db) =>
      db
        .select()
        .from(signInStep)
        .where(isStepOf(mailboxes, now))
        .orderBy(desc(signInStep.lastAt))
        .limit(500),
    (rows) =>
      rows.flatMap(({ outcome, ipAddress, place, userAgent, ...row }) => {
        // After a rollback there may be outcomes of a newer release.
        const known = OUTCOMES.find((one) => one === outcome);
        const origin = { ipAddress, place, device: describeDevice(userAgent) };
        return known ? [{ ...row, outcome: known, origin }] : [];
      }),
  );
}

/** Users whose sign-in had trouble in the last day, the newest first, with how often. */
export function troubledUsers(now: Date) {
  const hour = hourOf(now);
  return readOf(
    (db) =>
      db
        .select({
          id: user.id,
          name: user.name,
          email: user.email,
          count: sql<number>`sum(${signInStep.count})`.as("total"),
          lastAt: sql<number>`max(${signInStep.lastAt})`.as("newest"),
        })
        .from(signInStep)
        .innerJoin(user, sql`${user.id} = ${signInStep.userId}`)
        .where(
          and(
            sql`${signInStep.part} = ${PART.account}`,
            idsIn(
              sql`${signInStep.hour}`,
              Array.from({ length: 25 }, (_, index) => hour - index),
            ),
          ),
        )
        .groupBy(user.id)
        .orderBy(sql`newest DESC`)
        .limit(50),
    (rows) => rows.map(({ lastAt, ...row }) => ({ ...row, lastAt: new Date(lastAt) })),
  );
}

/** Deletes old steps. */
export async function pruneSignInSteps(db: Db, now: Date): Promise<void> {
  const oldest = hourOf(new Date(now.getTime() - STEP_DAYS * DAY_MS));
  await db.delete(signInStep).where(lt(signInStep.hour, oldest));
}
