import { and, eq, inArray, isNull, or, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { mailOutbox } from "../../db/schema/schema.ts";
import { describeError, log } from "../../runtime/log.ts";
import { replacedBy } from "./delivery.ts";
import { type MailEvent, readMailEvent } from "./mail-event.ts";
import { endRefusal, endSuppression, noteRefusal } from "./refusing-mailbox.server.ts";
import type { Outbox } from "./stored-mail.server.ts";

type Delivered = Extract<MailEvent, { kind: "delivery" }>;

/** Status of the answer to a webhook: 400 when it cannot be read, 401 when it is not proven to be the provider's. */
type Answer = 200 | 400 | 401;

/**
 * Takes one event of the provider's webhook: what became of a mail, and whether its mailbox refuses mail. A repeated
 * event changes nothing. Refuses a body without a valid signature, or with one that is older than 5 minutes. Source:
 * Standard Webhooks, as Resend signs them.
 */
export async function receiveEvent(
  { db, resend }: Pick<Outbox, "db" | "resend">,
  secret: string,
  { headers, body }: { headers: Headers; body: string },
): Promise<Answer> {
  let verified: unknown;
  try {
    verified = resend?.webhooks.verify({
      payload: body,
      headers: {
        id: headers.get("svix-id") ?? "",
        timestamp: headers.get("svix-timestamp") ?? "",
        signature: headers.get("svix-signature") ?? "",
      },
      webhookSecret: secret,
    });
  } catch (error) {
    const isForged = !(error instanceof SyntaxError);
    log("warn", "mail.webhook_refused", { reason: describeError(error).error });
    return isForged ? 401 : 400;
  }
  const event = readMailEvent(verified);
  if (!event) {
    log("warn", "mail.webhook_refused", { reason: "unreadable event" });
    return 400;
  }
  await apply(db, event);
  return 200;
}

async function apply(db: Outbox["db"], event: MailEvent): Promise<void> {
  if (event.kind === "other") return;
  if (event.kind === "unsuppressed") {
    await endSuppression(db, event.email, event.at);
    return;
  }
  const isMail = isMailOf(event);
  const { delivery, at, reason, refusal } = event;
  const [changed] = await db.batch([
    db
      .update(mailOutbox)
      .set({ delivery, deliveryAt: at, deliveryReason: reason })
      .where(
        and(
          isMail,
          or(isNull(mailOutbox.delivery), inArray(mailOutbox.delivery, replacedBy(delivery))),
        ),
      )
      .returning({ id: mailOutbox.id, kind: mailOutbox.kind }),
    ...afterwards(db, isMail, event),
  ]);
  for (const { id, kind } of changed) {
    if (delivery !== "delivered") log("warn", `mail.${delivery}`, { mail: id, kind, refusal });
  }
}

/** Returns the statement about the mailbox that an event asks for. */
function afterwards(
  db: Outbox["db"],
  isMail: SQL | undefined,
  { delivery, at, reason: note, refusal }: Delivered,
): BatchItem<"sqlite">[] {
  if (refusal) return [noteRefusal(db, isMail, { reason: refusal, note, at })];
  return delivery === "delivered" ? [endRefusal(db, isMail, at)] : [];
}

/**
 * SQL condition: the mail of an event, by its tag, or by its recipient and the provider's id. An
 * index of the provider's ids would be one more row to write for each mail.
 */
function isMailOf({ providerId, mailId, recipients }: Delivered): SQL | undefined {
  const isProviders = and(
    inArray(mailOutbox.recipient, recipients),
    eq(mailOutbox.providerId, providerId),
  );
  return mailId === undefined ? isProviders : or(isProviders, eq(mailOutbox.id, mailId));
}

/** Asks the provider to take a mailbox off its suppression list. It logs failures and never throws. */
export async function unsuppress({ resend }: Pick<Outbox, "resend">, email: string): Promise<void> {
  // A key that may only send is refused here. The operator then removes the mailbox at the provider.
  const answer = await resend?.suppressions.remove(email);
  const { name, statusCode } = answer?.error ?? {};
  if (name && statusCode !== 404) {
    log("warn", "mail.suppression_kept", { reason: `${statusCode ?? "no answer"} ${name}` });
  }
}
