import { and, eq } from "drizzle-orm";
import type { Resend } from "resend";
import type { Db } from "../../db/db.server.ts";
import { mailOutbox } from "../../db/schema/schema.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import { describeError, log } from "../../runtime/log.ts";
import type { MailBrandReader } from "./mail-brand.ts";
import { MAIL_TAG } from "./mail-event.ts";
import { renderMail } from "./render.server.ts";
import { nextTryDelayMs, type SendOutcome, toOutcome } from "./retry.ts";
import {
  FAREWELL,
  LOCAL_INBOX,
  languageOf,
  readPayload,
  type StoredMail,
} from "./stored-mail.server.ts";

const SEND_TIMEOUT_MS = 5_000;

export type Outbox = {
  db: Db;
  keys: Keys;
  /** The provider; undefined when mails go to the local inbox. */
  resend: Resend | undefined;
  /** `MAIL_FROM`: the sender until managers choose another name. */
  from: string;
  readBrand: MailBrandReader;
  /** The product's origin, which every mail names. */
  baseUrl: string;
  /** E-mails of `ADMIN_EMAILS`, which get codes in any case. */
  adminEmails: readonly string[];
};

/** Makes one try to send a mail and stores the outcome. It logs failures and never throws. */
export async function deliver(outbox: Outbox, row: StoredMail, now: Date): Promise<void> {
  const { db } = outbox;
  try {
    const outcome = await send(outbox, row, now);
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

async function send(
  { keys, resend, from, baseUrl, readBrand }: Outbox,
  row: StoredMail,
  now: Date,
): Promise<SendOutcome> {
  if (row.expiresAt <= now || !row.payload) return { kind: "expired" };
  if (!resend) return { kind: "sent", providerId: LOCAL_INBOX };
  const brand = await readBrand(now);
  const language = languageOf(row);
  const mail = renderMail(await readPayload(keys, row.payload), {
    recipient: row.recipient,
    language,
    baseUrl,
    brand: brand.of(language),
  });
  const answer = await resend.emails.send(
    // The tag comes back in webhooks, which may arrive before the provider's id is stored.
    {
      from: brand.senderOf(from),
      to: row.recipient,
      ...mail,
      tags: [{ name: MAIL_TAG, value: row.id }],
    },
    { idempotencyKey: row.id, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) },
  );
  return toOutcome(answer);
}

/**
 * True when the recipient's account is already erased and this mail is the last data about it: the row is deleted too.
 */
function isFarewell({ kind }: StoredMail, outcome: SendOutcome): boolean {
  if (kind !== FAREWELL) return false;
  return outcome.kind === "sent" ? outcome.providerId !== LOCAL_INBOX : outcome.kind !== "retry";
}

function changesFor(row: StoredMail, outcome: SendOutcome, now: Date): Partial<StoredMail> {
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
