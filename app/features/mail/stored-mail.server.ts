import type { Resend } from "resend";
import type { Db } from "../../db/db.server.ts";
import type { mailOutbox } from "../../db/schema/schema.ts";
import { isLanguage, type Language } from "../../i18n/languages.ts";
import type { Keys } from "../../runtime/keys.server.ts";
import type { MailBrandReader } from "./mail-brand.ts";
import type { MailWriters } from "./mail-content.ts";
import type { MailMessage } from "./mail-message.ts";
import { LOCAL_INBOX } from "./states.ts";

/** The last mail to a user. Its row is data about an account that is already erased, so it does not stay. */
export const FAREWELL = "deletion-done" satisfies MailMessage["kind"];

export type Outbox = {
  db: Db;
  keys: Keys;
  /** The provider; undefined when mails go to the local inbox. */
  resend: Resend | undefined;
  /** `MAIL_FROM`: the sender until managers choose another name. */
  from: string;
  readBrand: MailBrandReader;
  /** Writers of the kinds that features send. */
  writers: MailWriters;
  /** The product's origin, which every mail names. */
  baseUrl: string;
  /** E-mails of `ADMIN_EMAILS`, which get codes in any case. */
  adminEmails: readonly string[];
};

export type StoredMail = typeof mailOutbox.$inferSelect;

/**
 * Returns the values of a mail that leaves as soon as the provider takes it. Without a provider it
 * is in the local inbox at once.
 */
export function readyToLeave({ resend }: Pick<Outbox, "resend">, now: Date) {
  return resend
    ? ({ state: "waiting", nextTryAt: now } as const)
    : ({ state: "sent", nextTryAt: now, providerId: LOCAL_INBOX, sentAt: now } as const);
}

/** Decrypts the message of a stored mail. Throws when the payload cannot be decrypted. */
export async function readPayload(keys: Keys, payload: string): Promise<MailMessage> {
  const text = await keys.decrypt("mail", payload).catch(() => keys.decryptWithoutPurpose(payload));
  return JSON.parse(text);
}

/** Returns the language of a stored mail; English for one that the product no longer knows. */
export function languageOf({ language }: Pick<StoredMail, "language">): Language {
  return isLanguage(language) ? language : "en";
}
