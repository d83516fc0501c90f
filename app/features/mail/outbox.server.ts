import { Resend } from "resend";
import { dropExpired, prune, retry } from "./due-mails.server.ts";
import { findSignInCode, listLocalInbox } from "./local-inbox.server.ts";
import { receiveEvent, unsuppress } from "./mail-events.server.ts";
import {
  prepare,
  prepareForNew,
  prepareForUsers,
  type Queue,
  queue,
  wake,
} from "./mail-queue.server.ts";
import type { Outbox } from "./stored-mail.server.ts";

type OutboxOptions = Omit<Outbox, "resend"> & {
  resendApiKey: string | undefined;
  resendBaseUrl: string | undefined;
};

type MailerOptions = {
  wakeSender: Queue["wakeSender"];
  /** Secret of the provider's webhook; undefined when it is not set up. */
  webhookSecret: string | undefined;
};

export type Mailer = ReturnType<typeof createMailer>;

/** Builds what both the mailer and the sender need: the mails' table, their keys and the provider. */
export function createOutbox({ resendApiKey, resendBaseUrl, ...options }: OutboxOptions): Outbox {
  const resend = resendApiKey
    ? new Resend(resendApiKey, resendBaseUrl ? { baseUrl: resendBaseUrl } : {})
    : undefined;
  return { ...options, resend };
}

/**
 * Mail outbox. A mail is written as a row before it is sent. The row's id is the provider's idempotency key, so a mail
 * that was accepted but not marked as sent is not sent twice. Only the sender talks to the provider about mails; the
 * mailer wakes it.
 */
export function createMailer(given: Outbox, { wakeSender, webhookSecret }: MailerOptions) {
  const outbox = { ...given, wakeSender };
  return {
    prepare: prepare.bind(undefined, outbox),
    prepareForNew: prepareForNew.bind(undefined, outbox),
    prepareForUsers: prepareForUsers.bind(undefined, outbox),
    queue: queue.bind(undefined, outbox),
    wake: wake.bind(undefined, outbox),
    dropExpired: dropExpired.bind(undefined, outbox),
    retry: retry.bind(undefined, outbox),
    listLocalInbox: listLocalInbox.bind(undefined, outbox),
    findSignInCode: findSignInCode.bind(undefined, outbox),
    prune: prune.bind(undefined, outbox),
    unsuppress: unsuppress.bind(undefined, outbox),
    /** Undefined when the webhook is not set up. */
    receiveEvent: webhookSecret ? receiveEvent.bind(undefined, outbox, webhookSecret) : undefined,
  };
}
