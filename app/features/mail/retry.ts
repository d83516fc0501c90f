/** Result of one try to send a mail. */
export type SendOutcome =
  | { kind: "sent"; providerId: string | null }
  | { kind: "retry"; reason: string; retryAfterMs?: number }
  | { kind: "failed"; reason: string }
  | { kind: "expired" };

type ProviderAnswer = {
  data: { id: string } | null;
  error: { name: string; message: string; statusCode: number | null } | null;
  headers?: Record<string, string> | null;
};

const BASE_DELAY_MS = 5_000;
const MAX_DELAY_MS = 15 * 60_000;

/**
 * Turns the provider's answer into an outcome. Retried: 429, 5xx, a time-out, a cut connection, a concurrent request
 * with the same key and refused credentials. Any other 4xx fails for good. Source: Resend API reference, "Errors" and
 * "Idempotency keys".
 */
export function toOutcome({ data, error, headers }: ProviderAnswer): SendOutcome {
  if (!error && data) return { kind: "sent", providerId: data.id ?? null };
  if (!error) return { kind: "retry", reason: "no answer" };
  const reason = `${error.statusCode ?? "no answer"} ${error.name}`.slice(0, 200);
  // An earlier release already sent this mail with this key and another rendering.
  if (error.name === "invalid_idempotent_request") return { kind: "sent", providerId: null };
  if (canPass(error)) return { kind: "retry", reason, ...retryAfter(headers?.["retry-after"]) };
  return { kind: "failed", reason };
}

function canPass({ name, statusCode }: { name: string; statusCode?: number | null }): boolean {
  // A gateway in front of the provider may answer with its own error body, which the SDK passes on unchanged.
  if (
    typeof statusCode !== "number" ||
    statusCode >= 500 ||
    statusCode === 429 ||
    statusCode === 408
  )
    return true;
  // An operator can fix the API key before the mail expires.
  if (statusCode === 401 || statusCode === 403) return true;
  return name === "concurrent_idempotent_requests";
}

function retryAfter(header: string | undefined): { retryAfterMs?: number } {
  const seconds = Number(header);
  return header && Number.isFinite(seconds) && seconds >= 0
    ? { retryAfterMs: seconds * 1_000 }
    : {};
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
