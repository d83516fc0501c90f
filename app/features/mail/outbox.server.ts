import { Resend } from "resend";
import { prune, retry, sendDue } from "./due-mails.server.ts";
import { findDemoCode, listLocalInbox } from "./local-inbox.server.ts";
import type { Outbox } from "./mail-delivery.server.ts";
import { receiveEvent, unsuppress } from "./mail-events.server.ts";
import { prepare, queue } from "./mail-queue.server.ts";

export type MailerOptions = Omit<Outbox, "resend"> & {
  resendApiKey: string | undefined;
  resendBaseUrl: string | undefined;
  /** Secret of the provider's webhook; undefined when it is not set up. */
  webhookSecret: string | undefined;
};

export type Mailer = ReturnType<typeof createMailer>;

/**
 * Mail outbox. A mail is written as a row before it is sent. The row's id is the provider's idempotency key, so a mail
 * that was accepted but not marked as sent is not sent twice.
 */
export function createMailer(given: MailerOptions) {
  const { resendApiKey, resendBaseUrl, webhookSecret, ...options } = given;
  const resend = resendApiKey
    ? new Resend(resendApiKey, resendBaseUrl ? { baseUrl: resendBaseUrl } : {})
    : undefined;
  const outbox = { ...options, resend };
  return {
    prepare: prepare.bind(undefined, outbox),
    queue: queue.bind(undefined, outbox),
    sendDue: sendDue.bind(undefined, outbox),
    retry: retry.bind(undefined, outbox),
    listLocalInbox: listLocalInbox.bind(undefined, outbox),
    findDemoCode: findDemoCode.bind(undefined, outbox),
    prune: prune.bind(undefined, outbox),
    unsuppress: unsuppress.bind(undefined, outbox),
    /** Undefined when the webhook is not set up. */
    receiveEvent: webhookSecret ? receiveEvent.bind(undefined, outbox, webhookSecret) : undefined,
  };
}
