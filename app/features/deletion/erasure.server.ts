import { and, asc, eq, isNotNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Db, isRuleViolation } from "../../db/db.server.ts";
import {
  auditEvent,
  invitation,
  mailOutbox,
  refusingMailbox,
  user,
} from "../../db/schema/schema.ts";
import { isLanguage } from "../../i18n/languages.ts";
import { describeError, log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import { auditChange, cronSource } from "../audit/audit.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";

/**
 * Accounts tried in one run. Each takes a dozen statements, and D1 allows 1,000 in an invocation. The next run
 * continues.
 */
const MOST_AT_ONCE = 50;
/** Days during which the last mail is tried. */
const FAREWELL_DAYS = 7;

type DueAccount = Pick<typeof user.$inferSelect, "id" | "email" | "language">;

type ErasureOptions = {
  db: Db;
  mailer: Pick<Mailer, "prepare">;
  /** Returns the statements that keep a ban for the mailbox of the user found by `isPerson`. */
  keepBan: (email: string, isPerson: SQL, now: Date) => Promise<readonly BatchItem<"sqlite">[]>;
  /** Returns the statements that delete a mailbox's code limits while `isDue` holds. */
  forgetMailbox: (email: string, isDue: SQL) => Promise<readonly BatchItem<"sqlite">[]>;
};

export type Erasure = ReturnType<typeof createErasure>;

/** Erasure after the grace period: deletes accounts, except for audit rows, which keep an opaque id. */
export function createErasure(options: ErasureOptions) {
  return { eraseDue: eraseDue.bind(undefined, options) };
}

/**
 * Erases the accounts that are due, the untried ones first. One failure does not stop the others; it is retried in a
 * later run, after the accounts that were not tried yet.
 */
async function eraseDue(options: ErasureOptions, now: Date): Promise<void> {
  const { id, email, language, deletionDueAt, erasureTriedAt } = user;
  const due = await options.db
    .select({ id, email, language })
    .from(user)
    .where(and(isNotNull(deletionDueAt), lte(deletionDueAt, now)))
    .orderBy(asc(erasureTriedAt), asc(deletionDueAt), asc(id))
    .limit(MOST_AT_ONCE);
  for (const account of due) await attempt(options, account, now);
}

async function attempt(options: ErasureOptions, account: DueAccount, now: Date): Promise<void> {
  try {
    await erase(options, account, now);
  } catch (error) {
    // The user became the last admin or sole owner during the grace period. A manager must first give that role to
    // another user.
    const isRule = isRuleViolation(error, "LAST_ADMIN") || isRuleViolation(error, "SOLE_OWNER");
    const event = isRule ? "account.erasure_refused" : "account.erasure_failed";
    log("error", event, { user: account.id, ...describeError(error) });
    await options.db.update(user).set({ erasureTriedAt: now }).where(eq(user.id, account.id));
  }
}

/**
 * Erases one account in one transaction. Each statement checks that the account is still due, so a second
 * simultaneous run finds none, and an account restored meanwhile stays complete. The outbox sends the last mail in
 * its next run. The sweep deletes the picture, which no row names any more.
 */
async function erase(
  { db, mailer, keepBan, forgetMailbox }: ErasureOptions,
  { id, email, language }: DueAccount,
  now: Date,
): Promise<void> {
  const isPerson = sql`${eq(user.id, id)} AND ${lte(user.deletionDueAt, now)}`;
  const isDue = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${isPerson})`;
  const farewell = await mailer.prepare(
    {
      recipient: email,
      language: isLanguage(language) ? language : "en",
      expiresAt: new Date(now.getTime() + FAREWELL_DAYS * DAY_MS),
      message: { kind: "deletion-done" },
    },
    now,
    "concerned",
  );
  // The audit events list the account's earlier e-mails, so delete the mails before the records.
  const emails = sql`SELECT ${email} UNION SELECT json_extract(${auditEvent.details}, '$.before.email') FROM ${auditEvent} WHERE ${isTarget(id)}`;
  const isTheirs = (recipient: SQLiteColumn) =>
    sql`${recipient} IN (${emails}) AND NOT EXISTS (SELECT 1 FROM ${user} WHERE ${user.email} = ${recipient} AND ${user.id} <> ${id}) AND ${isDue}`;
  await db.batch([
    db.delete(mailOutbox).where(isTheirs(mailOutbox.recipient)),
    db.delete(refusingMailbox).where(isTheirs(refusingMailbox.email)),
    db.delete(invitation).where(and(eq(invitation.email, email), isDue)),
    db
      .update(auditEvent)
      .set({ details: null, ipAddress: null, userAgent: null, place: null })
      .where(and(isTarget(id), isDue)),
    db
      .update(auditEvent)
      .set({ ipAddress: null, userAgent: null, place: null })
      .where(and(or(eq(auditEvent.actorId, id), eq(auditEvent.impersonatorId, id)), isDue)),
    ...(await keepBan(email, isPerson, now)),
    ...(await forgetMailbox(email, isDue)),
    db.delete(user).where(isPerson),
    auditChange(db, cronSource(now), {
      action: "user.erased",
      actorId: null,
      target: { type: "user", id },
    }),
    farewell.statement,
  ]);
  log("info", "account.erased", { user: id });
}

function isTarget(id: string) {
  return and(eq(auditEvent.targetType, "user"), eq(auditEvent.targetId, id));
}
