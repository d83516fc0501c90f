import { findCookie, serializeCookie } from "../../http/cookies.ts";

/** Holds the id of the user who dismissed the checklist in this browser. */
const SETUP_COOKIE = "gatehouse.setup";
const MAX_AGE_SECONDS = 31_536_000;

/** True when this user dismissed the checklist of the home screen in this browser. */
export function isSetupDismissed(request: Request, userId: string): boolean {
  return findCookie(request, SETUP_COOKIE) === userId;
}

/** Returns the Set-Cookie value that hides the checklist of the home screen for this user. */
export function dismissSetup(userId: string): string {
  return serializeCookie(SETUP_COOKIE, userId, { maxAgeSeconds: MAX_AGE_SECONDS });
}
