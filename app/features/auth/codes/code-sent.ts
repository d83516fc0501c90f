import { findCookie, serializeCookie } from "../../../http/cookies.ts";
import { CODE_TTL_MINUTES, RESEND_COOLDOWN_SECONDS } from "./code.ts";

const CODE_SENT_COOKIE = "gatehouse.code-sent";

/** Seconds until a code expires and until another may be asked for. */
export type Countdowns = { expiresIn: number; resendIn: number };

/** Remembers in the browser when a code was sent. Nothing is granted by it: it feeds the countdowns. */
export function codeSentCookie(now: Date): string {
  const options = { maxAgeSeconds: CODE_TTL_MINUTES * 60 };
  return serializeCookie(CODE_SENT_COOKIE, String(now.getTime()), options);
}

/** What is left of the code that this browser asked for; the whole span when the browser cannot tell. */
export function readCountdowns(request: Request, now: Date): Countdowns {
  return countdownsSince(Number(findCookie(request, CODE_SENT_COOKIE)), now);
}

/** The same for a code whose row says when it was sent, in milliseconds since 1970. */
export function countdownsSince(sentAt: number, now: Date): Countdowns {
  const elapsed = Math.floor((now.getTime() - sentAt) / 1_000);
  const total = CODE_TTL_MINUTES * 60;
  if (!sentAt || elapsed < 0) return { expiresIn: total, resendIn: 0 };
  return {
    expiresIn: Math.max(0, total - elapsed),
    resendIn: Math.max(0, RESEND_COOLDOWN_SECONDS - elapsed),
  };
}
