const DAY_MS = 86_400_000;
const MAX_YEARS = 5;

/** How long a ban may last, in days; `forever` has no end. */
export const BAN_PRESETS = ["1", "7", "30", "365", "forever"] as const;

/** The same, or up to the end of a day that is picked. */
export const BAN_DURATIONS = [...BAN_PRESETS, "date"] as const;

export type BanDuration = (typeof BAN_DURATIONS)[number];

/** Today, and the days, `YYYY-MM-DD`, that a ban may be set to end with: from tomorrow on, five years ahead at most. */
export function banDays(now: Date): { today: string; first: string; last: string } {
  const last = new Date(now);
  last.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS);
  return {
    today: dayOf(now),
    first: dayOf(new Date(now.getTime() + DAY_MS)),
    last: dayOf(last),
  };
}

/** When a ban ends: with the day that was picked (UTC), so many days from now, or never, which is null. */
export function banEnd(
  { duration, until }: { duration: BanDuration; until: string | undefined },
  now: Date,
): Date | null {
  if (duration === "forever") return null;
  if (until !== undefined) return new Date(new Date(until).getTime() + DAY_MS - 1);
  return new Date(now.getTime() + Number(duration) * DAY_MS);
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
