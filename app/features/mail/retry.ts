import { DAY_MS, HOUR_MS } from "../../values/time.ts";
import { numberIn } from "./pace.ts";

/** A quota of mails at the provider, by the time that it is counted over. */
export type Quota = "daily" | "monthly";

/** Result of one try to send a mail. */
export type SendOutcome =
  | { kind: "sent"; providerId: string | null }
  | { kind: "retry"; reason: string; retryAfterMs?: number }
  /** The provider takes no request for some time. This was no try. */
  | { kind: "limited"; waitMs: number }
  /** The provider takes no mail until the quota is renewed. This was no try. */
  | { kind: "quota"; quota: Quota }
  | { kind: "failed"; reason: string };

export type ProviderAnswer = {
  data: { id: string } | null;
  error: { name: string; message: string; statusCode: number | null } | null;
  headers?: Record<string, string> | null;
};

const BASE_DELAY_MS = 5_000;
const MAX_DELAY_MS = 15 * 60_000;
/** Wait after a 429 that names no time: the window of Resend's limit. */
const LIMIT_WINDOW_MS = 1_000;
/** While a quota is used up, one mail is tried this often: the operator may have bought a bigger quota. */
const QUOTA_TRY_EVERY_MS = HOUR_MS;

const QUOTAS: Record<string, Quota> = {
  daily_quota_exceeded: "daily",
  monthly_quota_exceeded: "monthly",
};

/**
 * Turns the provider's answer into an outcome. Retried: 5xx, a time-out, a cut connection, a
 * concurrent request with the same key and refused credentials. Any other 4xx but 429 fails for
 * good. Source: Resend API reference, "Errors", "Usage limits" and "Idempotency keys".
 */
export function toOutcome({ data, error, headers }: ProviderAnswer): SendOutcome {
  if (!error && data) return { kind: "sent", providerId: data.id ?? null };
  if (!error) return { kind: "retry", reason: "no answer" };
  // A gateway in front of the provider may answer with its own error body, which the SDK passes on unchanged.
  const quota = QUOTAS[error.name];
  if (quota) return { kind: "quota", quota };
  const retryAfter = numberIn(headers, "retry-after");
  if (error.statusCode === 429) {
    const seconds = retryAfter ?? numberIn(headers, "ratelimit-reset");
    const waitMs = seconds === undefined ? LIMIT_WINDOW_MS : seconds * 1_000;
    return { kind: "limited", waitMs: Math.min(waitMs, HOUR_MS) };
  }
  const reason = `${error.statusCode ?? "no answer"} ${error.name}`.slice(0, 200);
  // An earlier release already sent this mail with this key and another rendering.
  if (error.name === "invalid_idempotent_request") return { kind: "sent", providerId: null };
  if (!canPass(error)) return { kind: "failed", reason };
  return {
    kind: "retry",
    reason,
    ...(retryAfter !== undefined && { retryAfterMs: retryAfter * 1_000 }),
  };
}

function canPass({ name, statusCode }: { name: string; statusCode?: number | null }): boolean {
  if (typeof statusCode !== "number" || statusCode >= 500 || statusCode === 408) return true;
  // An operator can fix the API key before the mail expires.
  if (statusCode === 401 || statusCode === 403) return true;
  return name === "concurrent_idempotent_requests";
}

/**
 * Milliseconds until the next try: exponential from 5 s, with jitter over the upper half, and never before the
 * provider's `retry-after`.
 */
export function nextTryDelayMs(
  tries: number,
  retryAfterMs: number | undefined,
  random: number,
): number {
  const ceiling = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** Math.max(0, tries - 1));
  return Math.max(retryAfterMs ?? 0, Math.round(ceiling * (0.5 + random / 2)));
}

/** Returns when a quota is renewed (at 00:00 UTC, or on the first of the month), and when a mail is tried meanwhile. */
export function pauseOf(quota: Quota, now: Date): { until: Date; retryAt: Date } {
  const until =
    quota === "daily"
      ? new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)
      : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  const retryAt = new Date(Math.min(until.getTime(), now.getTime() + QUOTA_TRY_EVERY_MS));
  return { until, retryAt };
}
