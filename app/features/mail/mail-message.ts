import type { MailFact, MessageType } from "../../feature.ts";
import { type Joined, joined } from "../../features.ts";
import type { Language } from "../../i18n/languages.ts";
import { INVITATION_LIMITS, MAIL_LIMITS } from "../../values/rate-limits.ts";
import { DAY_MS } from "../../values/time.ts";
import type { OrganizationRole, Role } from "../access/role-names.ts";
import { causedByUsers, kept, type MailRule } from "./mail-rule.ts";
import type { News, Occasion } from "./occasion.ts";

/** Purpose of a one-time code that is sent to a signed-in user. */
export type CodePurpose = "confirm" | "email-current" | "email-new" | "delete";

/** A sign-in method beside the one-time code: a passkey or a provider account, with the name that its owner sees. */
export type SignInMethod = { type: "passkey" | "account"; name: string };

/** The mails that the core sends. */
export type CoreMessage =
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
  /** To a manager who tests the mail. The link opens the system page. */
  | { kind: "test-mail"; link: string }
  /**
   * To a user after a change of roles: by another person, or without `by` because of `ADMIN_EMAILS`
   * at a sign-in. The link opens the login page.
   */
  | { kind: "roles-changed"; by?: string; roles: Role[]; link: string }
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
  /** To a member whose role another person changed; the link opens the organization. */
  | {
      kind: "organization-role-changed";
      by: string;
      organization: string;
      role: OrganizationRole;
      link: string;
    }
  | ({ kind: "new-device" } & News)
  | ({ kind: "sign-in-method-added"; method: SignInMethod } & News)
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

type FeatureMails = Joined<"mails">;

/** The message of a kind of mail that a feature sends. */
type FeatureMessage = {
  [Kind in keyof FeatureMails]: { kind: Kind } & (FeatureMails[Kind] extends {
    message: MessageType<infer Message>;
  }
    ? Message
    : never);
}[keyof FeatureMails];

/** Every mail the product sends. A message holds only what is needed to render the mail again on a retry. */
export type MailMessage = CoreMessage | FeatureMessage;

const { codeInterval, earlyCodes, trustedCodes, ownCodes, newEmailCodes } = MAIL_LIMITS;

/**
 * What each kind of the core may take. A missing kind fails the type check. The label of each kind
 * is in `logs.json`.
 */
const CORE_MAILS = {
  "login-code": {
    share: "codes",
    causes: [
      { by: "anonymous visitor", aDay: DAY_MS / codeInterval.windowMs + earlyCodes.max },
      { by: "own user", aDay: trustedCodes.max },
    ],
    keptBy: "codes",
    byUser: undefined,
  },
  "account-code": {
    share: "codes",
    causes: [
      { by: "own user", aDay: ownCodes.max },
      { by: "other user", aDay: newEmailCodes.max },
    ],
    keptBy: "codes",
    byUser: undefined,
  },
  // What another user uses up of it is the same warning.
  "email-taken": kept("warnings", "other user", 1),
  "email-changed": kept("warnings", "own user", 5),
  "email-replaced": kept("warnings", "manager", 5),
  "methods-removed": kept("warnings", "manager", 5),
  "roles-changed": kept("warnings", "manager", 2),
  "new-device": kept("warnings", "own user", 10),
  "sign-in-method-added": kept("warnings", "own user", 10),
  "deletion-started": kept("warnings", "own user", 5),
  "deletion-done": kept("warnings", "own user", 1),
  "email-assigned": kept("others", "manager", 5),
  "passkey-released": kept("others", "manager", 3),
  "test-mail": kept("others", "own user", 5),
  "user-added": kept("others", "manager", 5),
  "organization-invitation": causedByUsers(5, INVITATION_LIMITS.byUser.max),
  "ownership-offered": causedByUsers(3, 3),
  "organization-role-changed": causedByUsers(2, 12),
  "organization-deletion-started": causedByUsers(5, 8),
} as const satisfies Record<CoreMessage["kind"], MailRule>;

type FeatureRules = { readonly [Kind in keyof FeatureMails]: FeatureMails[Kind]["rule"] };

/** What each kind may take. */
export const MAILS: typeof CORE_MAILS & FeatureRules = { ...CORE_MAILS, ...rulesOfFeatures() };

function rulesOfFeatures(): FeatureRules {
  const mails: Record<string, MailFact> = joined("mails");
  return Object.assign({}, ...Object.entries(mails).map(([kind, { rule }]) => ({ [kind]: rule })));
}

/**
 * Returns how many mails of a kind the outbox takes for one mailbox in a day; undefined when other limits keep them.
 */
export function roomOf(kind: MailMessage["kind"]): number | undefined {
  const { keptBy, causes }: MailRule = MAILS[kind];
  return keptBy === "outbox" ? causes.reduce((sum, { aDay }) => sum + aDay, 0) : undefined;
}

type Kind = keyof typeof MAILS;
/** Kinds that count for the user who causes them. */
type CountedKind = {
  [K in Kind]: (typeof MAILS)[K]["byUser"] extends undefined ? never : K;
}[Kind];

export const MAIL_KINDS = Object.keys(MAILS) as [MailMessage["kind"], ...MailMessage["kind"][]];

/** False for a kind that another release wrote. Its mails wait for that release. */
export function isMailKind(kind: string): kind is MailMessage["kind"] {
  return Object.hasOwn(MAILS, kind);
}

type CountedMessage = Extract<MailMessage, { kind: CountedKind }>;
/** A message of a kind that does not count for the user who causes it. */
export type UncountedMessage = Exclude<MailMessage, { kind: CountedKind }>;

/** A mail without its recipient. */
export type Letter = {
  language: Language;
  /** The mail is dropped after this time, because it is of no more use to its recipient. */
  expiresAt: Date;
} & (
  | {
      message: CountedMessage;
      /** The id of the user who causes the mail. Null when that account is erased. */
      causedBy: string | null;
    }
  | { message: UncountedMessage; causedBy?: never }
);

export type Mail = Letter & { recipient: string };

/** A mail as it is sent to the provider. */
export type RenderedMail = { subject: string; html: string; text: string };
