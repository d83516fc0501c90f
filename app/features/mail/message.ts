import type { Language } from "../../i18n/languages.ts";

/** What a code sent to somebody who is signed in is for. */
export type CodePurpose = "confirm" | "email-current" | "email-new" | "delete";

/** What signs in beside the code: a passkey or an account at a provider, under the name its owner knows it by. */
export type SignInMethod = { type: "passkey" | "account"; name: string };

/** Where and when something happened. */
export type Occasion = {
  /** The browser and system, when the user agent named them. */
  device: { browser: string; system: string } | null;
  place: string | null;
  /** ISO 8601. */
  at: string;
  /** The account screen of the owner. */
  link: string;
};

/** Every mail the product sends. What a kind needs to be written again on a retry is all that is kept of it. */
export type MailMessage =
  | {
      kind: "login-code";
      code: string;
      /** Opens the verify screen with the code prefilled; the code stands in the fragment, which no server sees. */
      link: string;
      validMinutes: number;
    }
  | { kind: "account-code"; code: string; purpose: CodePurpose; validMinutes: number }
  /** To an address that somebody else wanted to change theirs to. */
  | { kind: "email-taken" }
  /** To the address that was left. */
  | { kind: "email-changed"; newEmail: string }
  /** To the old e-mail, when a manager changed it. It does not name the new one: the mailbox may be stolen. */
  | { kind: "email-replaced" }
  /** To the e-mail that a manager set; the link leads to the sign-in. */
  | { kind: "email-assigned"; link: string }
  /** When a manager removed all passkeys and linked accounts. */
  | { kind: "methods-removed"; link: string }
  /** To a user that a manager added; `inviter` is that manager's name. */
  | { kind: "user-added"; inviter: string; link: string }
  | ({ kind: "new-device" } & Occasion)
  | ({ kind: "sign-in-method-added"; method: SignInMethod } & Occasion)
  /** `dueAt` in ISO 8601; the link leads to the sign-in. */
  | { kind: "deletion-started"; dueAt: string; link: string }
  | { kind: "deletion-done" };

/** A kind that is missing here does not compile; its name stands in `logs.json`. */
const KINDS: Record<MailMessage["kind"], true> = {
  "login-code": true,
  "account-code": true,
  "email-taken": true,
  "email-changed": true,
  "email-replaced": true,
  "email-assigned": true,
  "methods-removed": true,
  "user-added": true,
  "new-device": true,
  "sign-in-method-added": true,
  "deletion-started": true,
  "deletion-done": true,
};

export const MAIL_KINDS = Object.keys(KINDS) as [MailMessage["kind"], ...MailMessage["kind"][]];

export type Mail = {
  recipient: string;
  language: Language;
  /** After this moment the mail is worth nothing to its reader and is dropped. */
  expiresAt: Date;
  message: MailMessage;
};

/** A mail as it goes over the wire. */
export type RenderedMail = { subject: string; html: string; text: string };
