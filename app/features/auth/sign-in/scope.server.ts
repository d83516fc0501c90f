import { AsyncLocalStorage } from "node:async_hooks";
import type { user } from "../../../db/schema/schema.ts";
import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { Asker } from "../codes/sign-in-codes.server.ts";
import type { BanNotice } from "./ban-notice.server.ts";
import type { MailboxBan } from "./banned-mailbox.server.ts";
import type { FirstBatch } from "./first-batch.server.ts";
import type { RowsAhead } from "./rows-ahead.server.ts";

/** A user who has just signed in. */
export type SignedIn = {
  id: string;
  email: string;
  role: string;
  /** The role before the promotion, if the sign-in promotes the user. */
  roleBefore: string;
  /** True when the e-mail is in `ADMIN_EMAILS` and the role was not admin. */
  isPromoted: boolean;
  isOnboarded: boolean;
  /** True in the grace period before the account's deletion. */
  isInGracePeriod: boolean;
  /** Before this time no browser is a trusted device. */
  devicesSince: Date | null;
};

/** A request for a code. After the first batch, `answer` says what became of it. */
export type CodeRequest = {
  type: "code-request";
  asker: Asker;
  /** The browser's id, for its cookie. */
  browser: string;
  /** True when the site's mails wait for its provider's quota. */
  isPaused: boolean;
  email: string;
  answer: () => Record<string, unknown>;
};

/** A call that may sign someone in. better-auth's hooks note here what comes of it. */
type SignIn = {
  /** Rows of users that the call may sign in, as they were read ahead. */
  people: (typeof user.$inferSelect)[];
  /** The ban that refused the sign-in. */
  ban: BanNotice | undefined;
  /** The e-mail of the banned person. */
  bannedEmail: string | undefined;
};

/** A sign-in that better-auth makes from its beginning: its hook notes who has signed in (`signInWatch`). */
type Watched = { signedIn: SignedIn | undefined };

/** A sign-in that creates a user when the person has none. */
type SignUp = SignIn & {
  /** True when the call creates a user. */
  isNew: boolean;
};

type Admitted = {
  isAdmitted: boolean;
  /** The invitation link that lets the person in, if nothing else does. */
  entryLink: string | undefined;
  /** Bans that erased accounts have left for the mailbox. */
  mailboxBans: MailboxBan[];
};

export type CodeEntry = SignUp & { type: "code-entry" } & Pick<Partial<Admitted>, "entryLink">;

export type ProviderReturn = SignUp &
  Watched & {
    type: "provider";
    /** Whether a person without an account may get one; undefined until the provider has named one. */
    admission: Admitted | undefined;
    /** The account that the redirect names; the provider may not vouch for its e-mail. */
    identity: { provider: string; accountId: string; email: string } | undefined;
    /** The e-mail of an account that the provider may not sign in, because of its domain. */
    refusedEmail: string | undefined;
    /** A provider account that the call makes a user's sign-in method; it is there only if that was written. */
    linking: { userId: string; providerId: string; accountId: string } | undefined;
  };

/** A passkey that was sent. */
type UsedPasskey = {
  /** The passkey's row; undefined when it is unknown. */
  id: string | undefined;
  /** Whether the passkey is also kept elsewhere, as the authenticator says; undefined until it is verified. */
  isBackedUp: boolean | undefined;
};

export type PasskeySignIn = SignIn & Watched & UsedPasskey & { type: "passkey" };

/** A passkey that proves a session of its user, and signs no one in. */
export type Confirmation = UsedPasskey & {
  type: "confirmation";
  confirms: { sessionId: string; userId: string };
  isConfirmed: boolean;
};

/** What a call is about, and what better-auth's hooks tell the gateway about it. */
type Subject =
  | CodeRequest
  | CodeEntry
  | ProviderReturn
  | PasskeySignIn
  | Confirmation
  | { type: "other" };

/** What a sign-in knows at its start. */
export const newSignIn = (): SignIn => ({ people: [], ban: undefined, bannedEmail: undefined });
export const newSignUp = (): SignUp => ({ ...newSignIn(), isNew: false });

/** Returns the call's sign-in; undefined for a call that signs no one in. */
export function signInOf({ subject }: Pick<GatewayScope, "subject">) {
  const { type } = subject;
  return type === "code-entry" || type === "provider" || type === "passkey" ? subject : undefined;
}

/** One call of better-auth, from the gateway to better-auth's hooks and back. */
export type GatewayScope = {
  request: RequestInfo;
  language: Language;
  /** Page to open after the sign-in; part of the mail's link. */
  redirect: string | undefined;
  /** What a plugin of a feature is to note beside what it writes, such as an organization. */
  reference?: string | undefined;
  /** Value of the device cookie, not yet verified. */
  deviceCookie: string | undefined;
  subject: Subject;
  first: FirstBatch;
  rows: RowsAhead;
  /** An error that better-auth caught and answered in its own way; it may be a refusal of the database. */
  caught: unknown;
};

/** Carries the call to better-auth's hooks, because better-auth does not pass it on. */
export const gatewayScope = new AsyncLocalStorage<GatewayScope>();

/**
 * Returns the scope of the current call. Throws outside the gateway, because better-auth must not be called in another
 * way.
 */
export function currentScope(): GatewayScope {
  const scope = gatewayScope.getStore();
  if (!scope)
    throw new Error("better-auth was called outside the auth gateway; use createGateway().handle");
  return scope;
}
