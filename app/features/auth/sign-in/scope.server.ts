import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { MailboxLimits } from "./code-guard.server.ts";
import type { SignInCall } from "./sign-in-call.server.ts";

/** A user who has just signed in. */
export type SignedIn = {
  id: string;
  email: string;
  role: string;
  isOnboarded: boolean;
  /** Whether the account is in the grace period before its deletion. */
  isInGracePeriod: boolean;
};

/**
 * What better-auth's callbacks need to know of the request that came through the gateway, and what the gateway needs to
 * know of them: better-auth hands neither on, and swallows what a mail sender throws.
 */
export type GatewayScope = {
  request: RequestInfo;
  language: Language;
  /** Where the reader wants to be after signing in; goes into the mail's link. */
  redirect: string | undefined;
  /** The value of the device cookie, not yet verified. */
  deviceCookie: string | undefined;
  /** Set when the call signs in, or asks for the code that does. */
  signInCall?: SignInCall;
  /** Set when the call is about a code of a mailbox that has limits. */
  mailboxLimits?: MailboxLimits;
  /** Whose account the provider of a callback names; it may not vouch for the e-mail. */
  identity?: { provider: string; accountId: string; email: string };
  /** Set when the call makes a new user. */
  isSignUp?: boolean;
  /** Set when an account at a provider becomes a sign-in method of a user. */
  linked?: { userId: string; provider: string };
  /** Set when a session is made for who signs in; one for an impersonation is no sign-in. */
  isSignIn?: boolean;
  /** Set once a user has signed in. */
  signedIn?: SignedIn;
  /** Set when the mail could not be written to the outbox. */
  mailError?: unknown;
  /** Set when the sign-in was refused because of a ban. */
  ban?: { reason: string | null; until: Date | null };
  /** What better-auth caught and answered in words of its own; a refusal of the database may be among it. */
  caught?: unknown;
  /** Wrong tries of the current code, this one included. */
  wrongTries?: number;
};

export const gatewayScope = new AsyncLocalStorage<GatewayScope>();

/** The scope of the current call. Throws outside the gateway: better-auth must not be called past it. */
export function currentScope(): GatewayScope {
  const scope = gatewayScope.getStore();
  if (!scope)
    throw new Error("better-auth was called outside the auth gateway; use createGateway().handle");
  return scope;
}
