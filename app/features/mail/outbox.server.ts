import {
  and,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { Resend } from "resend";
import type { Db } from "../../db/db.server.ts";
import { isInState } from "../../db/mail-criteria.ts";
import { auditEvent, mailOutbox, user } from "../../db/schema/schema.ts";
import { isLanguage } from "../../i18n/languages.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import { describeError, log } from "../../runtime/log.ts";
import { type Actor, auditChange } from "../audit/audit.server.ts";
import type { Mail, MailMessage } from "./mail-message.ts";
import { renderMail } from "./render.server.ts";
import { nextTryDelayMs, type SendOutcome, toOutcome } from "./retry.ts";

const SEND_TIMEOUT_MS = 5_000;
/** Longer than a send can take, so a lease expires only after its holder has died. */
const LEASE_MS = 30_000;
const BATCH_SIZE = 25;
const KEEP_DAYS = 30;
const FAREWELL = "deletion-done" satisfies MailMessage["kind"];
/** `provider_id` of a mail that was written to the local inbox instead of being sent. */
const LOCAL_INBOX = "local-inbox";

export type MailerOptions = {
  db: Db;
  keys: Keys;
  resendApiKey: string | undefined;
  resendBaseUrl: string | undefined;
  from: string;
};

export type Mailer = ReturnType<typeof createMailer>;

/**
 * Condition for writing a mail: "account" needs an account with this e-mail, "no-account" needs none, "returning" needs
 * an account that has signed in more than once, and "concerned" needs that the previous statement of the batch changed
 * a row.
 */
type Audience = "anyone" | "account" | "no-account" | "returning" | "concerned";

type OutboxRow = typeof mailOutbox.$inferSelect;

/**
 * Mail outbox. A mail is written as a row before it is sent. The row's id is the provider's idempotency key, so a mail
 * that was accepted but not marked as sent is not sent twice.
 */
export function createMailer(options: MailerOptions) {
  const { db, keys } = options;
  const resend = options.resendApiKey
    ? new Resend(
        options.resendApiKey,
        options.resendBaseUrl ? { baseUrl: options.resendBaseUrl } : {},
      )
    : undefined;

  /**
   * Prepares a mail for a `db.batch`. Returns the statement that writes the row, and a function that tries at once to
   * send the rows which that statement returned. The same statement checks the audience, so its duration does not
   * reveal whether an account exists. A recipient with an account gets the language saved there. No row is written
   * unless `condition` holds.
   */
  async function prepare(
    mail: Mail,
    now: Date,
    audience: Audience = "anyone",
    condition: SQL = sql`true`,
  ) {
    const reader = sql`SELECT 1 FROM ${user} WHERE ${user.email} = ${mail.recipient}`;
    const language = sql`coalesce((SELECT ${user.language} FROM ${user} WHERE ${user.email} = ${mail.recipient}), ${mail.language})`;
    const isWanted = {
      anyone: sql`true`,
      account: sql`EXISTS (${reader})`,
      "no-account": sql`NOT EXISTS (${reader})`,
      returning: sql`EXISTS (
        SELECT 1 FROM ${auditEvent}
        WHERE ${auditEvent.actorId} = (SELECT ${user.id} FROM ${user} WHERE ${user.email} = ${mail.recipient})
          AND ${auditEvent.action} = 'user.signed_in'
        LIMIT 1 OFFSET 1
      )`,
      concerned: sql`changes() > 0`,
    };
    // Same order as the table's columns.
    const values = [
      crypto.randomUUID(),
      mail.message.kind,
      mail.recipient,
      language,
      await keys.encrypt("mail", JSON.stringify(mail.message)),
      "waiting",
      1,
      now.getTime(),
      // This request makes the first try. The cron takes over if the request dies.
      now.getTime() + LEASE_MS,
      mail.expiresAt.getTime(),
      null,
      null,
      null,
      now.getTime(),
    ];
    const list = sql.join(
      values.map((value) => sql`${value}`),
      sql`, `,
    );
    return {
      statement: db
        .insert(mailOutbox)
        .select(sql`SELECT ${list} WHERE ${isWanted[audience]} AND ${condition}`)
        .returning(),
      async send([row]: OutboxRow[]) {
        if (row) await deliver(row, now);
      },
    };
  }

  /**
   * Writes the mail's row and returns a function that tries to send it at once. Throws when the row cannot be written.
   */
  async function queue(
    mail: Mail,
    now: Date,
    audience: Audience = "anyone",
  ): Promise<() => Promise<void>> {
    const { statement, send: sendRows } = await prepare(mail, now, audience);
    const rows = await statement;
    if (rows.length === 0 && audience === "anyone") {
      throw new Error("The outbox did not answer with the new row");
    }
    return () => sendRows(rows);
  }

  /**
   * Sends up to 25 due mails and returns how many it took; called by the cron. Expired mails are dropped first, so they
   * do not take up the batch. Mails with the shortest validity come first, so one-time codes go before notices. Within
   * the same validity the newest goes first: after an outage the oldest code would expire before its recipient could
   * enter it.
   */
  async function sendDue(now: Date): Promise<number> {
    await dropExpired(now);
    const due = db
      .select({ id: mailOutbox.id })
      .from(mailOutbox)
      .where(and(isWaiting(now), lte(mailOutbox.nextTryAt, now)))
      .orderBy(sql`${mailOutbox.expiresAt} - ${mailOutbox.createdAt}`, desc(mailOutbox.createdAt))
      .limit(BATCH_SIZE);
    const taken = await db
      .update(mailOutbox)
      .set({ leasedUntil: new Date(now.getTime() + LEASE_MS), tries: sql`${mailOutbox.tries} + 1` })
      .where(inArray(mailOutbox.id, due))
      .returning();
    await Promise.all(taken.map((row) => deliver(row, now)));
    return taken.length;
  }

  /**
   * Marks waiting mails that are past their time as expired and erases their payloads. "deletion-done" mails lose their
   * row too.
   */
  async function dropExpired(now: Date): Promise<void> {
    const isLate = and(isWaiting(now), lte(mailOutbox.expiresAt, now));
    const { id, kind, tries } = mailOutbox;
    const dropped = await db.batch([
      db
        .delete(mailOutbox)
        .where(and(isLate, eq(kind, FAREWELL)))
        .returning({ id, kind, tries }),
      db
        .update(mailOutbox)
        .set({ state: "expired", payload: null, leasedUntil: null })
        .where(isLate)
        .returning({ id, kind, tries }),
    ]);
    for (const row of dropped.flat()) {
      log("warn", "mail.expired", { mail: row.id, kind: row.kind, tries: row.tries });
    }
  }

  /**
   * Takes a waiting or failed mail that has not expired for another try under its own idempotency key. Returns the
   * function that makes the try, or undefined when there is nothing to take. It leases the row, so only one of two
   * simultaneous requests gets it.
   */
  async function retry(actor: Actor, id: string): Promise<(() => Promise<void>) | undefined> {
    const now = actor.source.now();
    const [taken] = await db.batch([
      db
        .update(mailOutbox)
        .set({
          state: "waiting",
          tries: sql`${mailOutbox.tries} + 1`,
          nextTryAt: now,
          leasedUntil: new Date(now.getTime() + LEASE_MS),
        })
        .where(and(eq(mailOutbox.id, id), isRetriable(now)))
        .returning(),
      auditChange(db, actor.source, {
        action: "mail.retried",
        actorId: actor.actorId,
        impersonatorId: actor.impersonatorId,
        target: { type: "mail", id },
      }),
    ]);
    const [row] = taken;
    return row && (() => deliver(row, now));
  }

  async function deliver(row: OutboxRow, now: Date): Promise<void> {
    try {
      const outcome = await send(row, now);
      const isStill = and(eq(mailOutbox.id, row.id), eq(mailOutbox.state, "waiting"));
      if (isFarewell(row, outcome)) await db.delete(mailOutbox).where(isStill);
      else
        await db
          .update(mailOutbox)
          .set(changesFor(row, outcome, now))
          .where(isStill);
      if (outcome.kind !== "sent") {
        log(outcome.kind === "failed" ? "error" : "warn", `mail.${outcome.kind}`, {
          mail: row.id,
          kind: row.kind,
          tries: row.tries,
          reason: "reason" in outcome ? outcome.reason : undefined,
        });
      }
    } catch (error) {
      // The lease expires and the cron takes the row again. The idempotency key prevents a second copy.
      log("error", "mail.delivery_failed", { mail: row.id, ...describeError(error) });
    }
  }

  async function send(row: OutboxRow, now: Date): Promise<SendOutcome> {
    if (row.expiresAt <= now || !row.payload) return { kind: "expired" };
    if (!resend) return { kind: "sent", providerId: LOCAL_INBOX };
    const mail = renderMail(await readPayload(row.payload), languageOf(row));
    const answer = await resend.emails.send(
      { from: options.from, to: row.recipient, ...mail },
      { idempotencyKey: row.id, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) },
    );
    return toOutcome(answer);
  }

  async function readPayload(payload: string): Promise<MailMessage> {
    const text = await keys
      .decrypt("mail", payload)
      .catch(() => keys.decryptWithoutPurpose(payload));
    return JSON.parse(text);
  }

  /** Returns the rendered mails of the local inbox, newest first. Only for an origin without a provider. */
  async function listLocalInbox(limit: number) {
    const rows = await db
      .select()
      .from(mailOutbox)
      .where(eq(mailOutbox.providerId, LOCAL_INBOX))
      .orderBy(desc(mailOutbox.createdAt))
      .limit(limit);
    const readable = await Promise.all(
      rows.map(async ({ payload, ...row }) => {
        const message = payload ? await readPayload(payload).catch(() => undefined) : undefined;
        return message && { ...row, ...renderMail(message, languageOf(row)) };
      }),
    );
    return readable.filter((mail) => mail !== undefined);
  }

  /** Returns the last code sent to an e-mail, for a demonstration that shows it on the screen. */
  async function findDemoCode(recipient: string, now: Date): Promise<string | undefined> {
    const [row] = await db
      .select({ payload: mailOutbox.payload })
      .from(mailOutbox)
      .where(and(eq(mailOutbox.recipient, recipient), gt(mailOutbox.expiresAt, now)))
      .orderBy(desc(mailOutbox.createdAt))
      .limit(1);
    const message = row?.payload ? await readPayload(row.payload) : undefined;
    return message && "code" in message ? message.code : undefined;
  }

  /**
   * Erases old data: payloads of failed mails once they expire, payloads of the local inbox after a day, rows after 30
   * days.
   */
  async function prune(now: Date): Promise<void> {
    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
    await db.batch([
      db
        .update(mailOutbox)
        .set({ payload: null })
        .where(
          and(isInState("failed"), isNotNull(mailOutbox.payload), lte(mailOutbox.expiresAt, now)),
        ),
      db.delete(mailOutbox).where(lt(mailOutbox.createdAt, daysAgo(KEEP_DAYS))),
    ]);
    // With a provider the local inbox is empty, and this query would read the whole table.
    if (resend) return;
    await db
      .update(mailOutbox)
      .set({ payload: null })
      .where(and(lt(mailOutbox.createdAt, daysAgo(1)), eq(mailOutbox.providerId, LOCAL_INBOX)));
  }

  return { prepare, queue, sendDue, retry, listLocalInbox, findDemoCode, prune };
}

/** SQL condition: the mail is neither sent nor expired, and no other try holds it. */
export function isRetriable(now: Date) {
  return and(
    inArray(mailOutbox.state, ["waiting", "failed"]),
    isNotNull(mailOutbox.payload),
    gt(mailOutbox.expiresAt, now),
    or(isNull(mailOutbox.leasedUntil), lte(mailOutbox.leasedUntil, now)),
  );
}

/** SQL condition: the mail is waiting and no other try holds it. */
function isWaiting(now: Date) {
  return and(
    isInState("waiting"),
    or(isNull(mailOutbox.leasedUntil), lt(mailOutbox.leasedUntil, now)),
  );
}

/**
 * True when the recipient's account is already erased and this mail is the last data about it: the row is deleted too.
 */
function isFarewell({ kind }: OutboxRow, outcome: SendOutcome): boolean {
  if (kind !== FAREWELL) return false;
  return outcome.kind === "sent" ? outcome.providerId !== LOCAL_INBOX : outcome.kind !== "retry";
}

function changesFor(row: OutboxRow, outcome: SendOutcome, now: Date): Partial<OutboxRow> {
  switch (outcome.kind) {
    case "sent": {
      const keepsPayload = outcome.providerId === LOCAL_INBOX;
      return {
        state: "sent",
        providerId: outcome.providerId,
        sentAt: now,
        lastError: null,
        leasedUntil: null,
        ...(keepsPayload ? {} : { payload: null }),
      };
    }
    case "retry": {
      const delay = nextTryDelayMs(row.tries, outcome.retryAfterMs, Math.random());
      return {
        nextTryAt: new Date(now.getTime() + delay),
        leasedUntil: null,
        lastError: outcome.reason,
      };
    }
    case "expired":
      return { state: "expired", payload: null, leasedUntil: null };
    case "failed":
      // The payload stays until the mail expires, so that an operator can fix the cause and send it again.
      return { state: "failed", leasedUntil: null, lastError: outcome.reason };
  }
}

function languageOf(row: Pick<OutboxRow, "language">) {
  return isLanguage(row.language) ? row.language : "en";
}
