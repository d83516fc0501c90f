import { DAY_MS, dayOf } from "../../../values/time.ts";

const MAX_YEARS = 5;

/** Lengths of a ban in days; `forever` has no end. */
export const BAN_PRESETS = ["1", "7", "30", "365", "forever"] as const;

/** The presets, or a ban until the end of a chosen day. */
export const BAN_DURATIONS = [...BAN_PRESETS, "date"] as const;

export type BanDuration = (typeof BAN_DURATIONS)[number];

/**
 * Returns today and the first and last day (`YYYY-MM-DD`) on which a ban may end: from tomorrow to five years ahead.
 */
export function banDays(now: Date): { today: string; first: string; last: string } {
  const last = new Date(now);
  last.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS);
  return {
    today: dayOf(now),
    first: dayOf(new Date(now.getTime() + DAY_MS)),
    last: dayOf(last),
  };
}

/** Returns the end of a ban: the end of the chosen day (UTC), a number of days from now, or null for no end. */
export function banEnd(
  { duration, until }: { duration: BanDuration; until: string | undefined },
  now: Date,
): Date | null {
  if (duration === "forever") return null;
  if (until !== undefined) return new Date(new Date(until).getTime() + DAY_MS - 1);
  return new Date(now.getTime() + Number(duration) * DAY_MS);
}
