import { describeError, log } from "../../runtime/log.ts";
import { MAIL_TAG } from "./mail-event.ts";
import type { RenderedMail } from "./mail-message.ts";
import { renderMail } from "./render.server.ts";
import { type ProviderAnswer, type SendOutcome, toOutcome } from "./retry.ts";
import { languageOf, type Outbox, readPayload, type StoredMail } from "./stored-mail.server.ts";

const SEND_TIMEOUT_MS = 5_000;

/** One try: its outcome, and the headers of the provider's answer if there was one. */
export type Try = { outcome: SendOutcome; headers?: ProviderAnswer["headers"] };

/**
 * Hands one mail to the provider, under the row's id as idempotency key. Only the sender calls
 * this, because the provider limits the requests of all callers together. A mail that cannot be
 * decrypted or written fails without a request.
 */
export async function post(outbox: Outbox, row: StoredMail, now: Date): Promise<Try> {
  const { resend } = outbox;
  if (!resend) throw new Error("Without a provider mails are in the local inbox");
  let mail: RenderedMail & { from: string };
  try {
    mail = await render(outbox, row, now);
  } catch (error) {
    log("error", "mail.unreadable", { mail: row.id, ...describeError(error) });
    return { outcome: { kind: "failed", reason: "unreadable: was the secret changed?" } };
  }
  const answer = await resend.emails.send(
    // The tag comes back in webhooks, which may arrive before the provider's id is stored.
    { to: row.recipient, ...mail, tags: [{ name: MAIL_TAG, value: row.id }] },
    { idempotencyKey: row.id, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) },
  );
  return { outcome: toOutcome(answer), headers: answer.headers };
}

async function render(outbox: Outbox, row: StoredMail, now: Date) {
  const { keys, from, baseUrl, readBrand, writers } = outbox;
  const { recipient, payload } = row;
  if (!payload) throw new Error("The mail has no content");
  const brand = await readBrand(now);
  const language = languageOf(row);
  const delivery = { recipient, language, baseUrl, brand: brand.of(language), writers };
  const mail = renderMail(await readPayload(keys, payload), delivery);
  return { ...mail, from: brand.senderOf(from) };
}
