import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Changed } from "../../db/change.server.ts";
import { hasMailRoom } from "../../db/mail-criteria.ts";
import { rowValues } from "../../db/row-values.ts";
import { auditEvent, mailOutbox, refusingMailbox, user } from "../../db/schema/schema.ts";
import { describeError, log } from "../../runtime/log.ts";
import { DAY_MS } from "../../values/time.ts";
import { type Letter, MAILS, type Mail, type MailMessage, roomOf } from "./mail-message.ts";
import type { MailRule } from "./mail-rule.ts";
import { isRefusing } from "./refusing-mailbox.server.ts";
import { type Outbox, readyToLeave } from "./stored-mail.server.ts";
import { type CodeAsking, turnOf } from "./turn.server.ts";

/** The outbox with the function that wakes the sender. */
export type Queue = Outbox & { wakeSender: () => Promise<void> };

/**
 * Condition for writing a mail: "account" needs an account with this e-mail, "no-account" needs
 * none, "returning" needs an account that has signed in more than once.
 */
type Audience = "anyone" | "account" | "no-account" | "returning";

/**
 * Prepares a mail for a `db.batch`. Returns the statement that writes the row, the one that writes
 * it only with a change, and a function that wakes the sender when the statement returned the row;
 * call it after the answer. The same statement checks the audience, so its duration does not reveal
 * whether an account exists. A recipient with an account gets the language saved there. No row is
 * written unless `condition` holds, nor a code to a mailbox that refuses mail and is not one of
 * `ADMIN_EMAILS`, nor a mail for which its kind has no room left (`MAILS`). `asking` says who asks
 * for a code.
 */
export async function prepare(
  outbox: Queue,
  mail: Mail,
  now: Date,
  audience: Audience = "anyone",
  condition: SQL = sql`true`,
  asking?: CodeAsking,
) {
  const { db, keys } = outbox;
  const language = sql`coalesce((SELECT ${user.language} FROM ${user} WHERE ${user.email} = ${mail.recipient}), ${mail.language})`;
  const row = rowValues(mailOutbox, {
    id: crypto.randomUUID(),
    kind: mail.message.kind,
    recipient: mail.recipient,
    language,
    payload: await keys.encrypt("mail", JSON.stringify(mail.message)),
    expiresAt: mail.expiresAt,
    causedBy: mail.causedBy ?? null,
    ...untriedMail(outbox, mail.message.kind, now, asking),
  });
  const hasRoom = roomFor(mail.message.kind, mail.recipient, now);
  const isWritten = sql`${isWanted(mail.recipient, audience, now)} AND ${isTaken(outbox, mail)} AND ${hasRoom}
    AND ${mayCause(mail, now)} AND ${condition}`;
  const write = (which: SQL) =>
    db
      .insert(mailOutbox)
      .select(sql`SELECT ${row} WHERE ${which}`)
      .returning({ id: mailOutbox.id });
  return {
    statement: write(isWritten),
    ifChanged: (isChanged: Changed) => write(sql`${isChanged} AND ${isWritten}`),
    send: (written: unknown[]) => sendWritten(outbox, written),
  };
}

/**
 * Prepares a mail to each of some new users, as one statement for the batch that inserts them: a mail is written only
 * where the user with this id is there. Returns the statement, and a function that wakes the sender.
 */
export async function prepareForNew(
  outbox: Queue,
  mails: readonly (Mail & { userId: string })[],
  now: Date,
) {
  const { db, keys } = outbox;
  const given = await Promise.all(
    mails.map(async ({ userId, recipient, language, expiresAt, message }) => ({
      id: crypto.randomUUID(),
      userId,
      recipient,
      language,
      kind: message.kind,
      expiresAt: expiresAt.getTime(),
      payload: await keys.encrypt("mail", JSON.stringify(message)),
    })),
  );
  const of = (name: keyof (typeof given)[number]) => sql`mail.value ->> ${sql.raw(`'${name}'`)}`;
  const row = rowValues(mailOutbox, {
    id: of("id"),
    kind: of("kind"),
    recipient: of("recipient"),
    language: of("language"),
    payload: of("payload"),
    expiresAt: of("expiresAt"),
    causedBy: null,
    ...untriedMail(outbox, "user-added", now),
  });
  const hasRoom = roomFor("user-added", of("recipient"), now);
  const isThere = sql`EXISTS (SELECT 1 FROM ${user} WHERE ${user.id} = ${of("userId")})`;
  const statement = db
    .insert(mailOutbox)
    .select(
      sql`SELECT ${row} FROM json_each(${JSON.stringify(given)}) AS mail WHERE ${isThere} AND ${hasRoom}`,
    )
    .returning({ id: mailOutbox.id });
  return { statement, send: (written: unknown[]) => sendWritten(outbox, written) };
}

/** Returns the columns that are the same in each new mail of a kind. */
function untriedMail(outbox: Queue, kind: MailMessage["kind"], now: Date, asking?: CodeAsking) {
  return {
    tries: 0,
    createdAt: now,
    providerId: null,
    lastError: null,
    sentAt: null,
    delivery: null,
    deliveryAt: null,
    deliveryReason: null,
    askedIpAddress: asking?.from?.clientIpAddress ?? null,
    askedUserAgent: asking?.from?.userAgent ?? null,
    askedPlace: asking?.from?.location ?? null,
    askedRequestId: asking?.from?.id ?? null,
    ...turnOf(kind, asking, now),
    ...readyToLeave(outbox, now),
  };
}

/**
 * Prepares one mail to each user that a condition finds, as one statement. Put it before the change
 * in the batch, so that the condition sees the users as they were. Returns the statement, and a
 * function that wakes the sender.
 */
export async function prepareForUsers(outbox: Queue, letter: Letter, which: SQL, now: Date) {
  const { db, keys } = outbox;
  const { message, language, expiresAt, causedBy } = letter;
  const { kind } = message;
  const row = rowValues(mailOutbox, {
    id: sql`lower(hex(randomblob(16)))`,
    kind,
    recipient: sql`${user.email}`,
    language: sql`coalesce(${user.language}, ${language})`,
    payload: await keys.encrypt("mail", JSON.stringify(message)),
    expiresAt,
    causedBy: causedBy ?? null,
    ...untriedMail(outbox, kind, now),
  });
  const statement = db
    .insert(mailOutbox)
    .select(
      sql`SELECT ${row} FROM ${user}
        WHERE ${which} AND ${roomFor(kind, sql`${user.email}`, now)} AND ${mayCause(letter, now)}`,
    )
    .returning({ id: mailOutbox.id });
  return { statement, send: (written: unknown[]) => sendWritten(outbox, written) };
}

/** SQL condition: a mailbox has room for another mail of a kind. */
function roomFor(kind: MailMessage["kind"], recipient: string | SQL, now: Date): SQL {
  const max = roomOf(kind);
  if (max === undefined) return sql`true`;
  return hasMailRoom({ max, windowMs: DAY_MS }, kind, recipient, now);
}

/** SQL condition: the user who causes a mail to others has caused fewer of the kind than one may. */
function mayCause({ message, causedBy }: Letter, now: Date): SQL {
  const { byUser }: MailRule = MAILS[message.kind];
  if (!causedBy || byUser === undefined) return sql`true`;
  const caused = and(
    eq(mailOutbox.causedBy, causedBy),
    gt(mailOutbox.createdAt, new Date(now.getTime() - DAY_MS)),
    eq(mailOutbox.kind, message.kind),
  );
  return sql`NOT EXISTS (SELECT 1 FROM ${mailOutbox} WHERE ${caused} LIMIT 1 OFFSET ${byUser - 1})`;
}

async function sendWritten(outbox: Queue, written: unknown[]): Promise<void> {
  if (written.length > 0) await wake(outbox);
}

/** Wakes the sender if there is a provider. It never throws: what it misses, the cron does within a minute. */
export async function wake({ resend, wakeSender }: Queue): Promise<void> {
  if (!resend) return;
  try {
    await wakeSender();
  } catch (error) {
    log("warn", "mail.sender_not_reached", describeError(error));
  }
}

/**
 * Writes the mail's row and returns a function that wakes the sender. Throws when the row cannot be written.
 */
export async function queue(
  outbox: Queue,
  mail: Mail,
  now: Date,
  audience: Audience = "anyone",
): Promise<() => Promise<void>> {
  const { statement, send: sendRows } = await prepare(outbox, mail, now, audience);
  const rows = await statement;
  return () => sendRows(rows);
}

/**
 * SQL condition: the recipient's mailbox takes this mail. One that returned a mail for good, or is suppressed at the
 * provider, gets no more codes. Other mails still go there, so that a mailbox that works again is noticed. So do the
 * codes of `ADMIN_EMAILS`, whose owners would otherwise be locked out.
 */
function isTaken({ adminEmails }: Outbox, { recipient, message }: Mail): SQL {
  if (!("code" in message) || adminEmails.includes(recipient)) return sql`true`;
  return sql`NOT EXISTS (
    SELECT 1 FROM ${refusingMailbox} WHERE ${refusingMailbox.email} = ${recipient} AND ${isRefusing}
  )`;
}

/** SQL condition: the recipient belongs to the audience. */
function isWanted(recipient: string, audience: Audience, now: Date): SQL {
  const reader = sql`SELECT 1 FROM ${user} WHERE ${user.email} = ${recipient}`;
  switch (audience) {
    case "anyone":
      return sql`true`;
    case "account":
      return sql`EXISTS (${reader})`;
    case "no-account":
      return sql`NOT EXISTS (${reader})`;
    case "returning":
      // Events of old sign-ins may be deleted, but who was onboarded before today has signed in before.
      return sql`(EXISTS (
        SELECT 1 FROM ${auditEvent}
        WHERE ${auditEvent.actorId} = (SELECT ${user.id} FROM ${user} WHERE ${user.email} = ${recipient})
          AND ${auditEvent.action} = 'user.signed_in'
        LIMIT 1 OFFSET 1
      ) OR EXISTS (${reader} AND ${user.onboardedAt} < ${now.getTime() - DAY_MS}))`;
  }
}
