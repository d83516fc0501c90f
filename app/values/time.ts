export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Days that a record may have. A year before or after is a typing error. */
export const FIRST_DAY = "1900-01-01";
export const LAST_DAY = "2199-12-31";

/** Returns the UTC day of a date, as `YYYY-MM-DD`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** Returns the number of a date's UTC day, counted from 1970. */
export function dayNumberOf(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS);
}

/** Returns the calendar day, as `YYYY-MM-DD`, a number of days after another. */
export function dayAfter(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * DAY_MS));
}
