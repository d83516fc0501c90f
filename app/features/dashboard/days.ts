import { DAY_MS } from "../../values/time.ts";

/** Days in the sign-in chart, today included. */
export const CHART_DAYS = 30;

/** Returns the UTC day of a date, in days since 1970. */
export function dayNumber(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS);
}

/** Returns the start of the day a number of days before a date. */
export function startOfDay(moment: Date, daysBefore: number): Date {
  return new Date((dayNumber(moment) - daysBefore) * DAY_MS);
}
