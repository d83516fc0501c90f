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
import type { Keys } from "../../worker/keys.server.ts";
import { describeError, log } from "../../worker/log.ts";
import { type Actor, auditChange } from "../audit/audit.server.ts";
import type { Mail, MailMessage } from "./message.ts";
import { renderMail } from "./render.server.ts";
import { nextTryDelayMs, type SendOutcome, toOutcome } from "./retry.ts";

const SEND_TIMEOUT_MS = 5_000;
/** Longer than a send may take, so that a lease only runs out when its holder is gone. */
const LEASE_MS = 30_000;
const BATCH_SIZE = 25;
const KEEP_DAYS = 30;
const FAREWELL = "deletion-done" satisfies MailMessage["kind"];
/** `provider_id` of a mail that went to the local inbox instead of a provider. */
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
 * Whom a mail is for: "account" and "stranger" are those who have and who have not got an account, "returning" those
 * who have signed in more than once, and "concerned" those for whom the statement before it in the batch changed
 * something.
 */
type Audience = "anyone" | "account" | "stranger" | "returning" | "concerned";

type OutboxRow = typeof mailOutbox.$inferSelect;

/**
 * The outbox: a mail is a row before it is on the wire. The row's id is the provider's idempotency key, so a mail
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
   * The statement that writes a mail's row, for a `db.batch` with whatever else must happen with it, and the function
   * that tries to send what it answered at once. Whether the audience is met is asked by the same statement, so that
   * its time tells nothing. A reader with an account is written to in the language they keep there. No row is written
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
      stranger: sql`NOT EXISTS (${reader})`,
      returning: sql`EXISTS (
        SELECT 1 FROM ${auditEvent}
        WHERE ${auditEvent.actorId} = (SELECT ${user.id} FROM ${user} WHERE ${user.email} = ${mail.recipient})
          AND ${auditEvent.action} = 'user.signed_in'
        LIMIT 1 OFFSET 1
      )`,
      concerned: sql`changes() > 0`,
    };
    // In the order of the table's columns.
    const values = [
      crypto.randomUUID(),
      mail.message.kind,
      mail.recipient,
      language,
      await keys.encrypt("mail", JSON.stringify(mail.message)),
      "waiting",
      1,
      now.getTime(),
      // The first try is this request's own; the cron takes over when the request dies.
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

  /** Writes the mail's row and answers a function that tries to send it at once. Throws when it cannot be written. */
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
   * Sends due mails, 25 at most, and returns how many were taken: the cron's part. Expired mails are dropped first, so
   * they take no turn of the others. Mails that are valid for the shortest time come first, codes before news, and of
   * those the newest: after an outage the oldest code expires before its reader can enter it.
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

  /** Marks waiting mails that came too late as expired and erases their payloads; farewells lose their row too. */
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
   * Takes a mail that waits or was put aside, and is still worth sending, for another try under its own key; answers a
   * function that makes the try, or undefined when there is nothing to take. Taking it leases it, so of two people who
   * press at once one has it.
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
      // The lease runs out and the cron takes the row again; its idempotency key keeps a second copy from leaving.
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

  /** The mails of the local inbox, newest first, written out. Only for an origin without a provider. */
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

  /** The code last sent to an address, for a demonstration that shows it on the screen. */
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
   * Erases what is no longer needed: what was put aside once it has expired, payloads of the local inbox after a day,
   * rows after 30.
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
    // With a provider no mail is the local inbox's, and looking for one would read all of them.
    if (resend) return;
    await db
      .update(mailOutbox)
      .set({ payload: null })
      .where(and(lt(mailOutbox.createdAt, daysAgo(1)), eq(mailOutbox.providerId, LOCAL_INBOX)));
  }

  return { prepare, queue, sendDue, retry, listLocalInbox, findDemoCode, prune };
}

/** Whether a mail may be tried at this moment: it is neither sent nor expired, and nobody is trying it. */
export function isRetriable(now: Date) {
  return and(
    inArray(mailOutbox.state, ["waiting", "failed"]),
    isNotNull(mailOutbox.payload),
    gt(mailOutbox.expiresAt, now),
    or(isNull(mailOutbox.leasedUntil), lte(mailOutbox.leasedUntil, now)),
  );
}

/** The condition for a mail that waits and that no other try holds. */
function isWaiting(now: Date) {
  return and(
    isInState("waiting"),
    or(isNull(mailOutbox.leasedUntil), lt(mailOutbox.leasedUntil, now)),
  );
}

/** Whether a mail was the last thing known of its reader, who has been erased: its row goes too. */
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
      // Its payload stays while it is worth sending: whoever mends the cause may send it again.
      return { state: "failed", leasedUntil: null, lastError: outcome.reason };
  }
}

function languageOf(row: Pick<OutboxRow, "language">) {
  return isLanguage(row.language) ? row.language : "en";
}
