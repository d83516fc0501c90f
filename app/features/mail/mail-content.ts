import type { Phrases } from "./mail-phrases.server.ts";

export type Content = {
  subject: string;
  /** Text that mail clients show in the inbox list after the subject. */
  preview: string;
  title: string;
  paragraphs: string[];
  code?: string;
  link?: { label: string; to: string };
  /** Device, location and time of the request for the mail. */
  origin?: string;
  /** Small print: what to do when the recipient did not ask for this mail. */
  quiet?: string;
  /** True when the small print says to contact support. */
  isToSupport?: true;
  /** Why the recipient gets this mail; without it, because the e-mail is the one of their account. */
  reason?: Reason;
};

/** "entered": a person entered the e-mail. "former": it was the e-mail of the recipient's account. */
type Reason = "account" | "entered" | "former";

/** Writes the mails of one kind that a feature sends. */
export type MailWriter<Message> = {
  write: (message: Message, phrases: Phrases) => Content;
  /** Invented messages for the gallery, one for each variant that has other texts. */
  samples: readonly Message[];
};

/** The writers of the features' kinds. Each gets only messages of its own kind. */
export type MailWriters = Readonly<
  Record<string, { write: MailWriter<never>["write"]; samples: readonly object[] }>
>;
