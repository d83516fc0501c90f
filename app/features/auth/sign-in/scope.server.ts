import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestInfo } from "../../../http/request-context.ts";
import type { Language } from "../../../i18n/languages.ts";
import type { CodeCall } from "./code-guard.server.ts";
import type { SignInCall } from "./sign-in-call.server.ts";

/** A user who has just signed in. */
export type SignedIn = {
  id: string;
  email: string;
  role: string;
  isOnboarded: boolean;
  /** True in the grace period before the account's deletion. */
  isInGracePeriod: boolean;
};

/**
 * Data shared between the gateway and better-auth's callbacks during one call, because better-auth passes neither on,
 * and swallows errors of a mail sender.
 */
export type GatewayScope = {
  request: RequestInfo;
  language: Language;
  /** Page to open after the sign-in; part of the mail's link. */
  redirect: string | undefined;
  /** Value of the device cookie, not yet verified. */
  deviceCookie: string | undefined;
  /** Set when the call signs in, or sends a sign-in code. */
  signInCall?: SignInCall;
  /** Set when the call is about a code. */
  codeCall?: CodeCall;
  /** Set when the call asked for a code: the browser's id for its cookie. */
  asker?: string;
  /** Set when the code was right: where better-auth finds what stands for it. */
  handOver?: string;
  /** The account that a provider's redirect names; the provider may not vouch for its e-mail. */
  identity?: { provider: string; accountId: string; email: string };
  /** Whether a person without an account may get one; set when that was read ahead. */
  isAdmitted?: boolean;
  /** Set when the call creates a user. */
  isSignUp?: boolean;
  /** Set when a provider account becomes a user's sign-in method. */
  linked?: { userId: string; provider: string };
  /** Set when a session is created by a sign-in; an impersonation is no sign-in. */
  isSignIn?: boolean;
  /** Set after a user has signed in. */
  signedIn?: SignedIn;
  /** Set when no mail can leave, because a quota is used up. */
  isMailPaused?: boolean;
  /** Set when the mail could not be written to the outbox. */
  mailError?: unknown;
  /** Set when the sign-in was refused because of a ban. */
  ban?: { reason: string | null; until: Date | null };
  /** An error that better-auth caught and answered in its own way; it may be a refusal of the database. */
  caught?: unknown;
  /** Tries that are left after a wrong code. */
  triesLeft?: number | undefined;
};

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
