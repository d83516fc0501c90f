import { z } from "zod";
import type { Delivery, MailboxRefusal } from "./delivery.ts";

/** Name of the tag that carries a mail's id to the provider and back. */
export const MAIL_TAG = "mail";
const REASON_MAX_LENGTH = 300;

/** An event of the provider's webhook. */
export type MailEvent =
  | {
      kind: "delivery";
      delivery: Delivery;
      /** When it happened, by the provider's clock. */
      at: Date;
      providerId: string;
      /** The mail's id in the outbox; undefined for a mail that was sent without a tag. */
      mailId: string | undefined;
      recipients: string[];
      /** The words of the provider or of the mailbox's server. */
      reason: string | null;
      /** Why the mailbox refuses mail from now on; undefined when it does not. */
      refusal: MailboxRefusal | undefined;
    }
  /** The provider took a mailbox off its suppression list. */
  | { kind: "unsuppressed"; email: string; at: Date }
  | { kind: "other" };

const DELIVERY_OF: Record<string, Delivery> = {
  "email.delivery_delayed": "delayed",
  "email.failed": "failed",
  "email.delivered": "delivered",
  "email.bounced": "bounced",
  "email.suppressed": "suppressed",
  "email.complained": "complained",
};

const Moment = z.string().max(64).pipe(z.coerce.date());
const text = z.string().catch("");

const Mailed = z.object({
  created_at: Moment,
  data: z.object({
    email_id: z.string().min(1).max(128),
    to: z.array(z.string().toLowerCase()).max(50).catch([]),
    tags: z.record(z.string(), z.unknown()).catch({}),
    bounce: z.object({ type: text, subType: text, message: text }).optional(),
    failed: z.object({ reason: text }).optional(),
    suppressed: z.object({ message: text }).optional(),
  }),
});

const Unsuppressed = z.object({
  created_at: Moment,
  data: z.object({ email: z.string().max(320).toLowerCase() }),
});

/** Reads the body of a verified webhook. Undefined when it is not what the provider documents for its type. */
export function readMailEvent(body: unknown): MailEvent | undefined {
  const { data: { type } = {} } = z.object({ type: z.string() }).safeParse(body);
  if (type === undefined) return undefined;
  if (type === "suppression.removed") {
    const { data: event } = Unsuppressed.safeParse(body);
    return event && { kind: "unsuppressed", email: event.data.email, at: event.created_at };
  }
  const delivery = Object.hasOwn(DELIVERY_OF, type) ? DELIVERY_OF[type] : undefined;
  if (!delivery) return { kind: "other" };
  const { data: event } = Mailed.safeParse(body);
  if (!event) return undefined;
  const { email_id: providerId, to: recipients, tags, bounce, failed, suppressed } = event.data;
  const { [MAIL_TAG]: tag } = tags;
  // "General" adds nothing to the message of the mail server.
  const subType = bounce?.subType === "General" && bounce.message ? undefined : bounce?.subType;
  const words = [subType, bounce?.message, failed?.reason, suppressed?.message];
  return {
    kind: "delivery",
    delivery,
    at: event.created_at,
    providerId,
    mailId: typeof tag === "string" ? tag : undefined,
    recipients,
    reason: words.filter(Boolean).join(": ").toWellFormed().slice(0, REASON_MAX_LENGTH) || null,
    refusal: refusalOf(delivery, bounce?.type),
  };
}

/** A full mailbox or a server that is away bounces too, but not with the type "Permanent". */
function refusalOf(delivery: Delivery, bounceType: string | undefined): MailboxRefusal | undefined {
  if (delivery === "bounced") return bounceType === "Permanent" ? delivery : undefined;
  return delivery === "suppressed" || delivery === "complained" ? delivery : undefined;
}
