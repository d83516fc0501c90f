import type { Language } from "../../i18n/languages.ts";
import type { OrganizationRole } from "../access/organization-permissions.ts";

/** Purpose of a one-time code that is sent to a signed-in user. */
export type CodePurpose = "confirm" | "email-current" | "email-new" | "delete";

/** A sign-in method beside the one-time code: a passkey or a provider account, with the name that its owner sees. */
export type SignInMethod = { type: "passkey" | "account"; name: string };

export type Occasion = {
  /** Browser and system; null when the user agent names neither. */
  device: { browser: string; system: string } | null;
  /** City and country code, as far as they are known. */
  place: string | null;
  /** ISO 8601. */
  at: string;
};

/** An event about which the user of an account is told; the link opens their account screen. */
type News = Occasion & { link: string };

/** What happened to a webhook, named by its receiver's host, or to an API key. */
type ProgramNews = {
  what: "webhook-made" | "webhook-moved" | "webhook-paused" | "key-ended";
  name: string;
  by: string | null;
};

/** Every mail the product sends. A message holds only what is needed to render the mail again on a retry. */
export type MailMessage =
  | {
      kind: "login-code";
      code: string;
      /**
       * Opens the verify screen with the code prefilled. The code is in the fragment, which is never sent to a server.
       */
      link: string;
      validMinutes: number;
      /** The request for the code. Older versions did not store it. */
      request?: Occasion;
    }
  | {
      kind: "account-code";
      code: string;
      purpose: CodePurpose;
      validMinutes: number;
      /** The request for the code. Older versions did not store it. */
      request?: Occasion;
    }
  /** To the owner of an e-mail that another user tried to take. */
  | { kind: "email-taken" }
  /** To the old e-mail after the user changed it. */
  | { kind: "email-changed"; newEmail: string }
  /**
   * To the old e-mail after a manager changed it. It does not name the new e-mail, because the old mailbox may be
   * stolen.
   */
  | { kind: "email-replaced" }
  /** To the new e-mail that a manager set; the link opens the login page. */
  | { kind: "email-assigned"; link: string }
  /** Sent when a manager removed all passkeys and linked accounts. */
  | { kind: "methods-removed"; link: string }
  /** To a manager whom an admin lets add a first passkey; the link opens the login page. */
  | { kind: "passkey-released"; link: string }
  /** To a user that a manager created; `inviter` is the manager's name. */
  | { kind: "user-added"; inviter: string; link: string }
  /** To an e-mail that was invited to an organization; the link opens the invitation. */
  | {
      kind: "organization-invitation";
      inviter: string;
      organization: string;
      role: OrganizationRole;
      link: string;
      validHours: number;
    }
  /** To a member who is asked to become an owner; the link opens the offer. */
  | {
      kind: "ownership-offered";
      inviter: string;
      organization: string;
      /** True when the inviter becomes an admin in return. */
      handsOver: boolean;
      link: string;
    }
  /** To a person on the waiting list who may come in; the link opens the login page. */
  | { kind: "request-approved"; link: string }
  | ({ kind: "new-device" } & News)
  | ({ kind: "sign-in-method-added"; method: SignInMethod } & News)
  /** A new API key of the account, or of an organization. */
  | ({ kind: "api-key-created"; name: string; organization: string | null } & News)
  /** A webhook was paused after a day without success. `receiver` is its host; the link opens its page. */
  | { kind: "webhook-failed"; receiver: string; organization: string | null; link: string }
  /**
   * To those who may change the webhooks and keys of an organization, or the site's (null): what others did. `by` is null
   * when the account is gone; the link opens the page.
   */
  | {
      kind: "webhooks-changed";
      organization: string | null;
      news: readonly ProgramNews[];
      isMore: boolean;
      page: "webhooks" | "keys";
      link: string;
    }
  /** `dueAt` in ISO 8601; the link opens the login page. */
  | { kind: "deletion-started"; dueAt: string; link: string }
  | { kind: "deletion-done" }
  /** To the owners of an organization; `dueAt` in ISO 8601; the link opens the organization's settings. */
  | {
      kind: "organization-deletion-started";
      organization: string;
      dueAt: string;
      link: string;
    };

/** A missing kind fails the type check. The label of each kind is in `logs.json`. */
const KINDS: Record<MailMessage["kind"], true> = {
  "login-code": true,
  "account-code": true,
  "email-taken": true,
  "email-changed": true,
  "email-replaced": true,
  "email-assigned": true,
  "methods-removed": true,
  "passkey-released": true,
  "user-added": true,
  "organization-invitation": true,
  "ownership-offered": true,
  "request-approved": true,
  "new-device": true,
  "sign-in-method-added": true,
  "api-key-created": true,
  "webhook-failed": true,
  "webhooks-changed": true,
  "deletion-started": true,
  "deletion-done": true,
  "organization-deletion-started": true,
};

export const MAIL_KINDS = Object.keys(KINDS) as [MailMessage["kind"], ...MailMessage["kind"][]];

/** False for a kind that another release wrote. Its mails wait for that release. */
export function isMailKind(kind: string): kind is MailMessage["kind"] {
  return Object.hasOwn(KINDS, kind);
}

export type Mail = {
  recipient: string;
  language: Language;
  /** The mail is dropped after this time, because it is of no more use to its recipient. */
  expiresAt: Date;
  message: MailMessage;
};

/** A mail as it is sent to the provider. */
export type RenderedMail = { subject: string; html: string; text: string };
