import type { Language } from "../../i18n/languages.ts";

/** Every mail the product sends. What a kind needs to be written again on a retry is all that is kept of it. */
export type MailMessage = {
  kind: "login-code";
  code: string;
  /** Opens the verify screen with the code prefilled; the code stands in the fragment, which no server sees. */
  link: string;
  validMinutes: number;
};

export type Mail = {
  recipient: string;
  language: Language;
  /** After this moment the mail is worth nothing to its reader and is dropped. */
  expiresAt: Date;
  message: MailMessage;
};

/** A mail as it goes over the wire. */
export type RenderedMail = { subject: string; html: string; text: string };
