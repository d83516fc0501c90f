import { and, asc, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { changeAndRecord } from "../../db/change.server.ts";
import { type Db, isRuleViolation } from "../../db/db.server.ts";
import {
  auditEvent,
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
import { auditEach, cronSource, eventOf } from "../audit/audit.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";

/** Days during which the last mail is tried. */
const FAREWELL_DAYS = 7;

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
  forgetMailboxes: (leaving: SQL) => Statements;
};

export type Erasure = ReturnType<typeof createErasure>;

/** Erasure of accounts: deletes all their data, except for audit rows, which keep an opaque id. */
export function createErasure(options: ErasureOptions) {
  return {
    eraseDue: eraseDue.bind(undefined, options),
    prepare: (accounts: readonly Account[], now: Date) => prepare(options, accounts, now),
  };
}

/**
 * Erases some of the accounts whose grace period is over, the untried ones first; the next run goes on. One failure does
 * not stop the others. It is retried after an hour.
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
 * Erases one account in one transaction, if it is still due: a second simultaneous run finds none, and an account
 * restored meanwhile stays complete. The outbox sends the last mail in its next run. The sweep deletes the picture, which
 * no row names any more.
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

/**
 * Returns the statements that erase what the database knows about users, and the organizations in which they are alone, for
 * the batch that then deletes their rows. Nothing changes for users
 * who are gone, or outside `condition`.
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
  const isTarget = sql`${auditEvent.targetType} = 'user' AND ${auditEvent.targetId} IN ${ids}`;
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
  const noOrigin = { ipAddress: null, userAgent: null, place: null };
  return [
    auditEach(db, organizationErased, sql`FROM ${organization} WHERE ${isTheirsAlone}`),
    db.delete(organization).where(isTheirsAlone),
    db.delete(mailOutbox).where(isTheirs(mailOutbox.recipient)),
    db.delete(refusingMailbox).where(isTheirs(refusingMailbox.email)),
    db
      .delete(invitation)
      .where(sql`${invitation.email} IN (SELECT leaving.email FROM ${leaving} AS leaving)`),
    db
      .update(auditEvent)
      .set({ details: null, ...noOrigin })
      .where(isTarget),
    db
      .update(auditEvent)
      .set(noOrigin)
      .where(sql`${auditEvent.actorId} IN ${ids} OR ${auditEvent.impersonatorId} IN ${ids}`),
    ...keepBans(leaving, now),
    ...forgetMailboxes(leaving),
  ] as const satisfies Statements;
}
