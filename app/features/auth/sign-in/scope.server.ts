import { AsyncLocalStorage } from "node:async_hooks";
import type { user } from "../../../db/schema/schema.ts";
import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
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
};

/** A request for a code. `answer` says what became of it, after the first batch. */
export type CodeRequest = {
  type: "code-request";
  asker: Asker;
  /** The browser's id, for its cookie. */
  browser: string;
  answer: () => Record<string, unknown>;
};

/** A try to sign in with a code. */
export type CodeEntry = {
  type: "code-entry";
  /** Returns the value that better-auth accepts once in place of the code. Throws after a wrong one. */
  answer: () => string;
};

/** A call with a passkey. */
export type PasskeyUse = {
  type: "passkey";
  /** The passkey's row; undefined when it is unknown. */
  id: string | undefined;
  /** Whether the passkey is also kept elsewhere, as the authenticator says; undefined until it is verified. */
  isBackedUp: boolean | undefined;
  /** The session that the passkey proves; the call then signs no one in. */
  confirms: { sessionId: string; userId: string } | undefined;
  isConfirmed: boolean;
};

/** What a call is about. */
type Subject = CodeRequest | CodeEntry | PasskeyUse | { type: "provider" } | { type: "other" };

/** What better-auth's hooks tell the gateway during a call. */
type Noted = {
  /** Rows of users that the call may sign in, as they were read ahead. */
  people: (typeof user.$inferSelect)[];
  /** Whether a person without an account may get one; undefined until that was read. */
  isAdmitted?: boolean;
  /** Bans that erased accounts have left for the mailbox; undefined until they were read. */
  mailboxBans?: MailboxBan[];
  /** The account that a provider's redirect names; the provider may not vouch for its e-mail. */
  identity?: { provider: string; accountId: string; email: string };
  /** True when the call creates a user. */
  isSignUp?: boolean;
  /** A provider account that the call makes a user's sign-in method; it is there only if that was written. */
  linking?: { userId: string; providerId: string; accountId: string };
  signedIn?: SignedIn;
  /** The ban because of which the sign-in was refused. */
  ban?: BanNotice;
  /** What the gateway answers in place of better-auth. */
  refusal?: { status: number; code: ErrorCode };
  /** Tries that are left after a wrong code. */
  triesLeft?: number;
  /** An error that better-auth caught and answered in its own way; it may be a refusal of the database. */
  caught?: unknown;
};

/** One call of better-auth, from the gateway to better-auth's hooks and back. */
export type GatewayScope = {
  request: RequestInfo;
  language: Language;
  /** Page to open after the sign-in; part of the mail's link. */
  redirect: string | undefined;
  /** Value of the device cookie, not yet verified. */
  deviceCookie: string | undefined;
  subject: Subject;
  first: FirstBatch;
  rows: RowsAhead;
  noted: Noted;
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
