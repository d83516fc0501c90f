export const DAY_MS = 86_400_000;
/** Days that the chart of sign-ins shows, today included. */
export const CHART_DAYS = 30;

/** The UTC day of a moment, in days since 1970. */
export function dayNumber(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS);
}

/** The start of the day so many days before another. */
export function startOfDay(moment: Date, daysBefore: number): Date {
  return new Date((dayNumber(moment) - daysBefore) * DAY_MS);
}
