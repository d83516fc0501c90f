import type { mailOutbox } from "../../db/schema/schema.ts";
import { isLanguage, type Language } from "../../i18n/languages.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import type { MailMessage } from "./mail-message.ts";

/** Longer than a send can take, so a lease expires only after its holder has died. */
export const LEASE_MS = 30_000;
/** `provider_id` of a mail that was written to the local inbox instead of being sent. */
export const LOCAL_INBOX = "local-inbox";
/** The last mail to a user. Its row is data about an account that is already erased, so it does not stay. */
export const FAREWELL = "deletion-done" satisfies MailMessage["kind"];

/** A mail in the outbox. */
export type StoredMail = typeof mailOutbox.$inferSelect;

/** Decrypts the message of a stored mail. Throws when the payload cannot be decrypted. */
export async function readPayload(keys: Keys, payload: string): Promise<MailMessage> {
  const text = await keys.decrypt("mail", payload).catch(() => keys.decryptWithoutPurpose(payload));
  return JSON.parse(text);
}

/** Returns the language of a stored mail; English for one that the product no longer knows. */
export function languageOf({ language }: Pick<StoredMail, "language">): Language {
  return isLanguage(language) ? language : "en";
}
