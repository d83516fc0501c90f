import { findCookie, serializeCookie } from "../../../http/cookies.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { MAIL_LIMITS } from "../../../values/rate-limits.ts";
import { mailboxOf } from "../mailbox.ts";
import { CODE_TTL_MINUTES, RESEND_COOLDOWN_SECONDS } from "./code.ts";
import { LINK_TTL_MS } from "./link-ttl.ts";

const CODE_SENT_COOKIE = "gatehouse.code-sent";

/**
 * Seconds until the code of the newest mail expires, until another may be requested, and until the
 * link of the newest mail expires. Undefined means that the screen cannot know.
 */
export type Countdowns = {
  expiresIn: number | undefined;
  resendIn: number;
  linkIn?: number | undefined;
};

/**
 * What the verify screen knows about a browser's code: it was sent, none could leave now, its tries
 * are used up, or only the link of the mail signs in.
 */
export type CodeState = "sent" | "waiting" | "spent" | "link";

type CodeSent = { state: CodeState | undefined; countdowns: Countdowns };

/**
 * Time of the newest mail, seconds to wait from then on, state, and the mailbox's hash. Without
 * seconds to wait, this browser has asked for no mail, and the time is when it last tried.
 */
const VALUE = /^(\d{13})\.(\d{1,6})\.(sent|waiting|spent|link)\.([\w-]{16})$/;

/**
 * Returns a cookie with what became of a request for a code, by the gateway's answer. It grants
 * nothing and only feeds the texts and countdowns of the verify screen.
 */
export async function codeSentCookie(
  keys: Keys,
  email: string,
  { mailed, retryAfter }: { mailed?: unknown; retryAfter?: unknown },
  now: Date,
): Promise<string> {
  if (mailed !== false) {
    return cookieOf(keys, email, now.getTime(), RESEND_COOLDOWN_SECONDS, "sent");
  }
  const interval = MAIL_LIMITS.codeInterval.windowMs;
  const sentAt = now.getTime() + Number(retryAfter) * 1_000 - interval;
  return cookieOf(keys, email, sentAt, interval / 1_000, "waiting");
}

/** Returns the cookie with another state of the code that this browser has asked for; the times stay. */
export async function changedCodeCookie(
  keys: Keys,
  request: Request,
  email: string,
  state: CodeState,
  now: Date,
): Promise<string> {
  const known = await find(keys, request, email);
  return cookieOf(keys, email, known?.at ?? now.getTime(), known?.wait ?? 0, state);
}

async function cookieOf(keys: Keys, email: string, at: number, wait: number, state: CodeState) {
  const value = [at, wait, state, await tagOf(keys, email)].join(".");
  return serializeCookie(CODE_SENT_COOKIE, value, { maxAgeSeconds: LINK_TTL_MS / 1_000 });
}

/**
 * Returns what is known about the code that this browser has asked for; no state for an e-mail it
 * has not asked for.
 */
export async function readCodeSent(
  keys: Keys,
  request: Request,
  email: string,
  now: Date,
): Promise<CodeSent> {
  const known = await find(keys, request, email);
  if (!known) {
    return { state: undefined, countdowns: { expiresIn: undefined, resendIn: 0 } };
  }
  const { at, wait, state } = known;
  const elapsed = Math.max(0, Math.floor((now.getTime() - at) / 1_000));
  const left = (seconds: number) => Math.max(0, seconds - elapsed);
  const hasCode = state === "sent" || state === "waiting";
  return {
    state,
    countdowns: {
      expiresIn: hasCode ? left(CODE_TTL_MINUTES * 60) : undefined,
      resendIn: left(wait),
      linkIn: wait > 0 ? left(LINK_TTL_MS / 1_000) : undefined,
    },
  };
}

async function find(keys: Keys, request: Request, email: string) {
  const [, at, wait, state, tag] = VALUE.exec(findCookie(request, CODE_SENT_COOKIE) ?? "") ?? [];
  if (tag !== (await tagOf(keys, email))) return undefined;
  return { at: Number(at), wait: Number(wait), state: state as CodeState };
}

async function tagOf(keys: Keys, email: string): Promise<string> {
  return (await mailboxOf(keys, email)).slice(0, 16);
}

/** Returns the countdowns for a code by the time it was sent, in milliseconds since 1970. */
export function countdownsSince(sentAt: number, now: Date) {
  const elapsed = Math.floor((now.getTime() - sentAt) / 1_000);
  const total = CODE_TTL_MINUTES * 60;
  if (!sentAt || elapsed < 0) return { expiresIn: total, resendIn: 0 };
  return {
    expiresIn: Math.max(0, total - elapsed),
    resendIn: Math.max(0, RESEND_COOLDOWN_SECONDS - elapsed),
  };
}
