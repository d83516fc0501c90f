import { and, asc, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { changeAndRecord } from "../../db/change.server.ts";
import { type Db, isRuleViolation } from "../../db/db.server.ts";
import { rowValues } from "../../db/row-values.ts";
import {
  auditEvent,
  erasedAccount,
  invitation,
  mailOutbox,
  member,
  organization,
  refusingMailbox,
  user,
} from "../../db/schema/schema.ts";
import { isLanguage } from "../../i18n/languages.ts";
import { describeError, log } from "../../runtime/log.ts";
import { ERASED_IN_A_RUN, type Plan } from "../../values/platform-limits.ts";
import { DAY_MS, HOUR_MS } from "../../values/time.ts";
import { forgetChanges } from "../access/change-limit.server.ts";
import { auditEach, cronSource, eventOf } from "../audit/audit.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";

/** Days during which the last mail is tried. */
const FAREWELL_DAYS = 7;
/** Days during which what managers did keeps its origin and details after the erasure of its target or actor. */
const TRACE_DAYS = 90;
/** So that one run of the cron stays short; the next run continues. */
const THINNED_IN_A_RUN = 50;
const NO_ORIGIN = { ipAddress: null, userAgent: null, place: null };

type Account = Pick<typeof user.$inferSelect, "id" | "email">;
type DueAccount = Account & Pick<typeof user.$inferSelect, "language">;

type Statements = readonly BatchItem<"sqlite">[];

type ErasureOptions = {
  db: Db;
  plan: Plan;
  mailer: Pick<Mailer, "prepare">;
  /** Returns the hashes by which limits and bans identify a mailbox, the current one first. */
  mailboxesOf: (email: string) => Promise<string[]>;
  /**
   * Returns the statements that keep the bans of users. `leaving` is an SQL table of the users with the columns `id`,
   * `email` and `mailboxes`, a JSON array of hashes.
   */
  keepBans: (leaving: SQL, now: Date) => Statements;
  /** Returns the statements that delete the code limits of users. */
  forgetMailboxes: (leaving: SQL, now: Date) => Statements;
};

export type Erasure = ReturnType<typeof createErasure>;

/**
 * Erasure of accounts: deletes all their data, except for audit rows. These keep an opaque id, and
 * what managers did keeps its origin and details for `TRACE_DAYS`.
 */
export function createErasure(options: ErasureOptions) {
  return {
    eraseDue: eraseDue.bind(undefined, options),
    prepare: (accounts: readonly Account[], now: Date) => prepare(options, accounts, now),
  };
}

/**
 * Erases some of the accounts whose grace period is over, the untried ones first; the next run goes
 * on. One failure does not stop the others. It is retried after an hour.
 */
async function eraseDue(options: ErasureOptions, now: Date): Promise<void> {
  const { id, email, language, deletionDueAt, erasureTriedAt } = user;
  const anHourAgo = new Date(now.getTime() - HOUR_MS);
  const due = await options.db
    .select({ id, email, language })
    .from(user)
    .where(
      and(
        isNotNull(deletionDueAt),
        lte(deletionDueAt, now),
        or(isNull(erasureTriedAt), lte(erasureTriedAt, anHourAgo)),
      ),
    )
    .orderBy(asc(erasureTriedAt), asc(deletionDueAt), asc(id))
    .limit(ERASED_IN_A_RUN[options.plan]);
  for (const account of due) await attempt(options, account, now);
}

async function attempt(options: ErasureOptions, account: DueAccount, now: Date): Promise<void> {
  try {
    await eraseOne(options, account, now);
  } catch (error) {
    // The user became the last admin or sole owner during the grace period. A manager must first give that role to
    // another user.
    const isRule = isRuleViolation(error, "LAST_ADMIN") || isRuleViolation(error, "SOLE_OWNER");
    const event = isRule ? "account.erasure_refused" : "account.erasure_failed";
    log("error", event, { user: account.id, ...describeError(error) });
    await options.db
      .update(user)
      .set({ erasureTriedAt: now })
      .where(sql`${user.id} = ${account.id}`);
  }
}

/**
 * Erases one account in one transaction, if it is still due: a second simultaneous run finds none,
 * and an account restored meanwhile stays complete. The outbox sends the last mail in its next run.
 * The sweep deletes the picture, which no row names any more.
 */
async function eraseOne(options: ErasureOptions, account: DueAccount, now: Date): Promise<void> {
  const { db, mailer } = options;
  const { id, email, language } = account;
  const isDue = sql`${lte(user.deletionDueAt, now)}`;
  const farewell = await mailer.prepare(
    {
      recipient: email,
      language: isLanguage(language) ? language : "en",
      expiresAt: new Date(now.getTime() + FAREWELL_DAYS * DAY_MS),
      message: { kind: "deletion-done" },
    },
    now,
  );
  await changeAndRecord(db, {
    before: { erased: await prepare(options, [account], now, isDue) },
    change: db.delete(user).where(and(sql`${user.id} = ${id}`, isDue)),
    event: eventOf(cronSource(now), {
      action: "user.erased",
      actorId: null,
      target: { type: "user", id },
    }),
    next: (isErased) => ({ farewell: farewell.ifChanged(isErased) }),
  });
  log("info", "account.erased", { user: id });
}

/** SQL condition: the event is about one of these users. */
function isAbout(ids: SQL): SQL {
  return sql`${auditEvent.targetType} = 'user' AND ${auditEvent.targetId} IN ${ids}`;
}

/** SQL condition: one of these users did it. */
function isFrom(ids: SQL): SQL {
  return sql`(${auditEvent.actorId} IN ${ids} OR ${auditEvent.impersonatorId} IN ${ids})`;
}

/**
 * Removes origin and details from the events that managers made about accounts, or from accounts,
 * which were erased 90 days ago. Until then they show how an account was taken over, also when its
 * thief deletes it.
 */
export async function thinTraces(db: Db, now: Date): Promise<void> {
  const until = new Date(now.getTime() - TRACE_DAYS * DAY_MS);
  const due = sql`(
    SELECT ${erasedAccount.userId} FROM ${erasedAccount} WHERE ${lte(erasedAccount.erasedAt, until)}
    ORDER BY ${erasedAccount.erasedAt}, ${erasedAccount.userId} LIMIT ${THINNED_IN_A_RUN}
  )`;
  await db.batch([
    db
      .update(auditEvent)
      .set({ details: null, ...NO_ORIGIN })
      .where(isAbout(due)),
    db.update(auditEvent).set(NO_ORIGIN).where(isFrom(due)),
    db.delete(erasedAccount).where(sql`${erasedAccount.userId} IN ${due}`),
  ]);
}

/**
 * Returns the statements that erase what the database knows about users, and the organizations in
 * which they are alone, for the batch that then deletes their rows. Nothing changes for users who
 * are gone, or outside `condition`.
 */
async function prepare(
  { db, mailboxesOf, keepBans, forgetMailboxes }: ErasureOptions,
  accounts: readonly Account[],
  now: Date,
  condition: SQL = sql`true`,
) {
  const hashed = accounts.map(async ({ id, email }) => ({
    id,
    mailboxes: await mailboxesOf(email),
  }));
  const leaving = sql`(
    SELECT ${user.id} AS id, ${user.email} AS email, account.value -> 'mailboxes' AS mailboxes
    FROM json_each(${JSON.stringify(await Promise.all(hashed))}) AS account
    JOIN ${user} ON ${user.id} = account.value ->> 'id' WHERE ${condition}
  )`;
  const ids = sql`(SELECT leaving.id FROM ${leaving} AS leaving)`;
  const isTarget = isAbout(ids);
  const managers = sql`(
    SELECT ${user.id} FROM ${user} WHERE ${user.id} IN ${ids} AND ${user.role} <> 'user'
    UNION SELECT ${auditEvent.targetId} FROM ${auditEvent} WHERE ${isTarget}
      AND json_extract(${auditEvent.details}, '$.before.role') <> 'user'
  )`;
  const isByAnother = sql`${auditEvent.actorId} IS NOT NULL AND ${auditEvent.actorId} IS NOT ${auditEvent.targetId}`;
  // What a manager did, to a user or in a user's name, and whatever these managers did to anything else.
  const isTrace = sql`(${auditEvent.impersonatorId} IS NOT NULL OR ${isByAnother}
    AND (${auditEvent.targetType} = 'user' OR ${auditEvent.actorId} IN ${managers}))`;
  // The audit events list the earlier e-mails of an account, so delete the mails before the records.
  const emails = sql`(
    SELECT leaving.email FROM ${leaving} AS leaving
    UNION SELECT json_extract(${auditEvent.details}, '$.before.email') FROM ${auditEvent} WHERE ${isTarget}
  )`;
  const isTheirs = (recipient: SQLiteColumn) =>
    sql`${recipient} IN ${emails} AND NOT EXISTS (
      SELECT 1 FROM ${user} WHERE ${user.email} = ${recipient} AND ${user.id} NOT IN ${ids}
    )`;
  const isTheirsAlone = sql`${organization.id} IN (
    SELECT ${member.organizationId} FROM ${member} WHERE ${member.userId} IN ${ids}
  ) AND NOT EXISTS (
    SELECT 1 FROM ${member} WHERE ${member.organizationId} = ${organization.id} AND ${member.userId} NOT IN ${ids}
  )`;
  const organizationErased = eventOf(cronSource(now), {
    action: "organization.erased",
    actorId: null,
    target: { type: "organization", id: sql`${organization.id}` },
    details: sql`json_object('name', ${organization.name})`,
  });
  return [
    db
      .insert(erasedAccount)
      .select(
        sql`SELECT ${rowValues(erasedAccount, { userId: sql`leaving.id`, erasedAt: now })} FROM ${leaving} AS leaving
        WHERE leaving.id IN ${managers} OR leaving.id IN (
          SELECT ${auditEvent.targetId} FROM ${auditEvent} WHERE ${isTarget} AND ${isByAnother}
        )`,
      )
      // Two managers may delete an account at once.
      .onConflictDoNothing(),
    auditEach(db, organizationErased, sql`FROM ${organization} WHERE ${isTheirsAlone}`),
    db.delete(organization).where(isTheirsAlone),
    db.delete(mailOutbox).where(isTheirs(mailOutbox.recipient)),
    db.delete(refusingMailbox).where(isTheirs(refusingMailbox.email)),
    db
      .delete(invitation)
      .where(sql`${invitation.email} IN (SELECT leaving.email FROM ${leaving} AS leaving)`),
    db
      .update(auditEvent)
      .set({ details: null, ...NO_ORIGIN })
      .where(sql`${isTarget} AND NOT ${isTrace}`),
    db
      .update(auditEvent)
      .set(NO_ORIGIN)
      .where(sql`${isFrom(ids)} AND NOT ${isTrace}`),
    ...keepBans(leaving, now),
    ...forgetMailboxes(leaving, now),
    forgetChanges(db, leaving),
  ] as const satisfies Statements;
}
