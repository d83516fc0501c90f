import { DAY_MS, HOUR_MS } from "../../values/time.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Waits after the first failed try, the second, and so on; the last one repeats. */
const WAITS_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS],
  ...[30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 6 * HOUR_MS],
];

/** An endpoint that has failed for so long is paused. */
const GIVE_UP_MS = DAY_MS;

/**
 * Returns when an endpoint is tried again after this many failed tries; undefined when it has
 * failed for a day. The last try is at the end of that day.
 */
export function nextTryAt(tries: number, failingSince: Date, now: Date): Date | undefined {
  const endsAt = failingSince.getTime() + GIVE_UP_MS;
  if (now.getTime() >= endsAt) return undefined;
  const wait = WAITS_MS[Math.min(tries, WAITS_MS.length) - 1] ?? 0;
  return new Date(Math.min(now.getTime() + wait, endsAt));
}
