/** What became of one try to send a mail. */
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
 * Reads the provider's answer. 429, 5xx, a time-out, a cut connection, a request in progress under the same key and
 * refused credentials can pass; any other 4xx never will. Source: Resend API reference, "Errors" and "Idempotency keys".
 */
export function toOutcome({ data, error, headers }: ProviderAnswer): SendOutcome {
  if (!error && data) return { kind: "sent", providerId: data.id ?? null };
  if (!error) return { kind: "retry", reason: "no answer" };
  const reason = `${error.statusCode ?? "no answer"} ${error.name}`.slice(0, 200);
  // The key was used before, for this mail as an earlier release wrote it: that one has left.
  if (error.name === "invalid_idempotent_request") return { kind: "sent", providerId: null };
  if (canPass(error)) return { kind: "retry", reason, ...retryAfter(headers?.["retry-after"]) };
  return { kind: "failed", reason };
}

function canPass({ name, statusCode }: { name: string; statusCode?: number | null }): boolean {
  // A gateway in front of the provider answers in words of its own, which the SDK passes on as they are.
  if (
    typeof statusCode !== "number" ||
    statusCode >= 500 ||
    statusCode === 429 ||
    statusCode === 408
  )
    return true;
  // An operator can mend a key while the mail is still worth sending.
  if (statusCode === 401 || statusCode === 403) return true;
  return name === "concurrent_idempotent_requests";
}

function retryAfter(header: string | undefined): { retryAfterMs?: number } {
  const seconds = Number(header);
  return header && Number.isFinite(seconds) && seconds >= 0
    ? { retryAfterMs: seconds * 1_000 }
    : {};
}

/** Milliseconds until the next try: doubling from 5 s with full jitter above the half, never before the provider allows. */
export function nextTryDelayMs(
  tries: number,
  retryAfterMs: number | undefined,
  random: number,
): number {
  const ceiling = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** Math.max(0, tries - 1));
  return Math.max(retryAfterMs ?? 0, Math.round(ceiling * (0.5 + random / 2)));
}
