/** What the provider's last answer said about its limit of requests. */
export type Pace = {
  /** Requests that the provider still takes in this window. */
  remaining: number;
  /** End of the window, in milliseconds since 1970. */
  resetAt: number;
};

type Headers = Record<string, string> | null | undefined;

/**
 * Returns the pace after an answer, from `ratelimit-remaining` and `ratelimit-reset`; undefined while the provider has
 * named none. An answer without them used up one request of the known window. The provider rounds up to whole seconds,
 * so the first answer of a window knows its end best. Source: Resend API reference, "Usage limits", after
 * draft-ietf-httpapi-ratelimit-headers-06.
 */
export function paceAfter(
  pace: Pace | undefined,
  headers: Headers,
  answeredAt: number,
): Pace | undefined {
  const current = pace && answeredAt < pace.resetAt ? pace : undefined;
  const remaining = numberIn(headers, "ratelimit-remaining");
  const reset = numberIn(headers, "ratelimit-reset");
  if (remaining === undefined || reset === undefined) {
    return current && { ...current, remaining: current.remaining - 1 };
  }
  const resetAt = answeredAt + reset * 1_000;
  // More is left than before: this answer is the first of a new window.
  const isSameWindow = current && remaining < current.remaining;
  return { remaining, resetAt: isSameWindow ? Math.min(current.resetAt, resetAt) : resetAt };
}

/** Returns when the next request may leave, in milliseconds since 1970; 0 when it may leave now. */
export function nextRequestAt(pace: Pace | undefined): number {
  return pace && pace.remaining <= 0 ? pace.resetAt : 0;
}

/** Returns the header's number if it is there and not negative. */
export function numberIn(headers: Headers, name: string): number | undefined {
  const text = headers?.[name];
  const number = Number(text);
  return text && Number.isFinite(number) && number >= 0 ? number : undefined;
}
