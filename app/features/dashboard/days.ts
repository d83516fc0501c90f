import { DAY_MS } from "../../values/time.ts";

/** Days that the chart can show, today included. */
export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

const DEFAULT_PERIOD = 30;

/** Returns the period in `?days=`, or 30 days. */
export function readPeriod(url: URL): Period {
  const days = url.searchParams.get("days");
  return PERIODS.find((period) => String(period) === days) ?? DEFAULT_PERIOD;
}

/** Returns the UTC day of a date, in days since 1970. */
export function dayNumber(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS);
}

/** Returns the start of the day a number of days before a date. */
export function startOfDay(moment: Date, daysBefore: number): Date {
  return new Date((dayNumber(moment) - daysBefore) * DAY_MS);
}

/** Returns the change against a previous value, as a part of it: 1.32 is 132 % more. Undefined without a value. */
export function growthOf(count: number, before: number | null): number | undefined {
  return before ? (count - before) / before : undefined;
}
