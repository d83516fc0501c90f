import { formatsOf } from "../../../i18n/formats.ts";
import { DAY_MS, dayAfter } from "../../../values/time.ts";

const MAX_YEARS = 5;

/** Lengths of a ban in days; `forever` has no end. */
export const BAN_PRESETS = ["1", "7", "30", "365", "forever"] as const;

/** The presets, or a ban until the end of a chosen day. */
export const BAN_DURATIONS = [...BAN_PRESETS, "date"] as const;

export type BanDuration = (typeof BAN_DURATIONS)[number];

/**
 * Returns the first and last day (`YYYY-MM-DD`) on which a ban may end: from tomorrow to five years
 * ahead. `today` is the manager's day.
 */
export function banDays(today: string): { today: string; first: string; last: string } {
  const last = `${Number(today.slice(0, 4)) + MAX_YEARS}${today.slice(4)}`;
  // Five years after 29 February there is no such day.
  return { today, first: dayAfter(today, 1), last: dayAfter(last, 0) };
}

type BanLength = { duration: BanDuration; until: string | undefined; timeZone: string | undefined };

/**
 * Returns the end of a ban: the end of the chosen day in the manager's time zone, a number of days
 * from now, or null for no end.
 */
export function banEnd({ duration, until, timeZone }: BanLength, now: Date): Date | null {
  if (duration === "forever") return null;
  if (until === undefined) return new Date(now.getTime() + Number(duration) * DAY_MS);
  const { startOfDay } = formatsOf("en", timeZone);
  return new Date(startOfDay(dayAfter(until, 1)).getTime() - 1);
}
