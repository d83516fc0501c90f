import { findCookie, serializeCookie } from "../../../http/cookies.ts";
import { PROVIDER_IDS } from "./providers.ts";

const COOKIE = "gatehouse.method";
/** As long as the cookie of a trusted device. */
const MAX_AGE_SECONDS = 400 * 86_400;

const METHODS = ["email", "passkey", ...PROVIDER_IDS] as const;

/** A way to sign in on the login screen. */
export type Method = (typeof METHODS)[number];

/** Returns the Set-Cookie value that keeps the method of a sign-in in this browser. It names no user. */
export function lastMethodCookie(method: string): string {
  return serializeCookie(COOKIE, method, { maxAgeSeconds: MAX_AGE_SECONDS });
}

/** Returns the method of the last sign-in in this browser; undefined without one. */
export function findLastMethod(request: Request): Method | undefined {
  const value = findCookie(request, COOKIE);
  return METHODS.find((method) => method === value);
}
