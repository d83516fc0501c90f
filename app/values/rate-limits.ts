import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time.ts";

/** At most `max` in any `windowMs`. */
export type RateLimit = {
  by:
    | "mailbox"
    | "user"
    | "user and mailbox"
    | "organization"
    | "API key"
    | "app and user"
    | "IP address"
    /** An IPv4 address, or a /48 network of IPv6 (`wideNetwork`). */
    | "network"
    /** A host that the product asks. */
    | "host"
    | "site";
  max: number;
  windowMs: number;
  beyond: string;
};

/**
 * Limits of codes by mailbox. How many mails of each other kind a mailbox gets, and how many a user
 * causes, stands beside the kind (`MAILS`), and a test sums them. Decisions 060 and 062.
 */
export const MAIL_LIMITS = {
  /** Sign-in codes at once: those that did not sign in, for browsers that are no trusted devices. */
  codesAtOnce: {
    by: "mailbox",
    max: 5,
    windowMs: HOUR_MS,
    beyond: "a code each `codeInterval`; meanwhile the newest one goes on being accepted",
  },
  /** A sign-in code may always leave when this long none has left. */
  codeInterval: {
    by: "mailbox",
    max: 1,
    windowMs: 9 * MINUTE_MS,
    beyond: "`codesAtOnce`",
  },
  /** Sign-in codes that left before the interval was over, those that signed in included. */
  earlyCodes: {
    by: "mailbox",
    max: 80,
    windowMs: DAY_MS,
    beyond: "a code each `codeInterval`",
  },
  /** Codes at once for trusted devices that did not sign in. */
  trustedCodesAtOnce: {
    by: "mailbox",
    max: 5,
    windowMs: HOUR_MS,
    beyond: "as for other browsers",
  },
  trustedCodes: {
    by: "mailbox",
    max: 20,
    windowMs: DAY_MS,
    beyond: "as for other browsers",
  },
  /** Codes with which signed-in users confirm, delete the account, or begin to change its e-mail. */
  ownCodes: { by: "mailbox", max: 15, windowMs: DAY_MS, beyond: "TOO_MANY_CODES" },
  /** Codes to an e-mail that users want for their accounts. */
  newEmailCodes: { by: "mailbox", max: 3, windowMs: DAY_MS, beyond: "TOO_MANY_CODES" },
} as const satisfies Record<string, RateLimit>;

/** Codes that one network asks for, over all mailboxes. Trusted devices are exempt. Decision 062. */
export const CODE_LIMITS = {
  /** Other mailboxes that it has asked for. */
  mailboxes: {
    by: "network",
    max: 3,
    windowMs: HOUR_MS,
    beyond: "a captcha for each further mailbox, where one is configured",
  },
  /** The same without a captcha, while the site sends more codes than it expects. */
  mailboxesOfBusySite: {
    by: "network",
    max: 30,
    windowMs: HOUR_MS,
    beyond: "TOO_MANY_REQUESTS for each further mailbox",
  },
} as const satisfies Record<string, RateLimit>;

/** Wrong sign-in codes from browsers that are no trusted devices. */
export const WRONG_CODES: RateLimit = {
  by: "mailbox",
  max: 24,
  windowMs: DAY_MS,
  beyond: "only the link of a mail signs such a browser in",
};

/** Wrong sign-in codes from all trusted devices of a mailbox together. */
export const TRUSTED_WRONG_CODES: RateLimit = {
  by: "mailbox",
  max: 24,
  windowMs: DAY_MS,
  beyond: "only the link of a mail signs a trusted device in",
};

/** Different e-mails that a user wants for the account. */
export const NEW_EMAILS: RateLimit = {
  by: "user",
  max: 5,
  windowMs: DAY_MS,
  beyond: "TOO_MANY_CODES",
};

/** Requests of a client to better-auth's endpoints; beyond: TOO_MANY_REQUESTS. */
export const ENDPOINT_LIMITS = {
  "/email-otp/send-verification-otp": perMinute(10),
  // Tries while no code can be entered count here alone, not against the mailbox.
  "/sign-in/email-otp": perMinute(20),
  "/sign-in/social": perMinute(20),
  "/link-social": perMinute(20),
  "/passkey/generate-authenticate-options": perMinute(30),
  "/passkey/verify-authentication": perMinute(20),
  "/passkey/generate-register-options": perMinute(20),
  "/passkey/verify-registration": perMinute(20),
} satisfies Record<string, RateLimit>;

/** The way back from a provider. What the product answers itself, such as `/get-session`, is not counted here. */
export const OTHER_ENDPOINTS = perMinute(100);

function perMinute(max: number): RateLimit {
  return { by: "IP address", max, windowMs: MINUTE_MS, beyond: "TOO_MANY_REQUESTS" };
}

/** Invitations to organizations, the cancelled ones included. Their mails are in `MAIL_LIMITS`. */
export const INVITATION_LIMITS = {
  /** So that one user cannot use up what others may send to a mailbox. */
  toOne: {
    by: "user and mailbox",
    max: 2,
    windowMs: DAY_MS,
    beyond: "INVITATION_LIMIT_REACHED",
  },
  /** So that one account uses up no quota of the provider: each sends a mail. */
  byUser: { by: "user", max: 40, windowMs: DAY_MS, beyond: "INVITATION_LIMIT_REACHED" },
  /** Accounts cost nothing where sign-up is open. */
  byNewUser: { by: "user", max: 20, windowMs: DAY_MS, beyond: "INVITATION_LIMIT_REACHED" },
} as const satisfies Record<string, RateLimit>;

export const NEW_ACCOUNT_MS = DAY_MS;

/** What a user does with rows of their own or of an organization. Nobody reaches these by hand. */
export const USER_LIMITS = {
  /** Changes by calls under `/api/auth`, and of organizations on screens. */
  changes: { by: "user", max: 120, windowMs: MINUTE_MS, beyond: "TOO_MANY_REQUESTS" },
  /** Changes of the own account on its screens, and of language, theme and the active organization. */
  ownChanges: { by: "user", max: 40, windowMs: MINUTE_MS, beyond: "TOO_MANY_REQUESTS" },
  /** Files with the own data: each reads everything about the user. */
  downloads: { by: "user", max: 20, windowMs: HOUR_MS, beyond: "TOO_MANY_REQUESTS" },
} as const satisfies Record<string, RateLimit>;

export const ORGANIZATION_LIMITS = {
  /** Each new slug keeps the old one from others for 30 days. */
  slugs: { by: "organization", max: 5, windowMs: DAY_MS, beyond: "TOO_MANY_REQUESTS" },
  /** Deletions that members start. The first of a day is mailed to the owners. */
  deletions: { by: "organization", max: 3, windowMs: DAY_MS, beyond: "TOO_MANY_REQUESTS" },
} as const satisfies Record<string, RateLimit>;
