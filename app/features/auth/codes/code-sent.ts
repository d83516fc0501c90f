import { findCookie, serializeCookie } from "../../../http/cookies.ts";
import { CODE_TTL_MINUTES, RESEND_COOLDOWN_SECONDS } from "./code.ts";

const CODE_SENT_COOKIE = "gatehouse.code-sent";

/** Seconds until a code expires, and until another may be requested. */
export type Countdowns = { expiresIn: number; resendIn: number };

/** Returns a cookie with the time when a code was sent. It grants nothing and only feeds the countdowns. */
export function codeSentCookie(now: Date): string {
  const options = { maxAgeSeconds: CODE_TTL_MINUTES * 60 };
  return serializeCookie(CODE_SENT_COOKIE, String(now.getTime()), options);
}

/** Returns the countdowns of the code that this browser requested; the full times when the cookie is missing. */
export function readCountdowns(request: Request, now: Date): Countdowns {
  return countdownsSince(Number(findCookie(request, CODE_SENT_COOKIE)), now);
}

/** Returns the countdowns for a code by the time it was sent, in milliseconds since 1970. */
export function countdownsSince(sentAt: number, now: Date): Countdowns {
  const elapsed = Math.floor((now.getTime() - sentAt) / 1_000);
  const total = CODE_TTL_MINUTES * 60;
  if (!sentAt || elapsed < 0) return { expiresIn: total, resendIn: 0 };
  return {
    expiresIn: Math.max(0, total - elapsed),
    resendIn: Math.max(0, RESEND_COOLDOWN_SECONDS - elapsed),
  };
}
