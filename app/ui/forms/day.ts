import { dayOf } from "../../values/time.ts";

/** First and last day (`YYYY-MM-DD`) that may be chosen, both included. */
export type Days = { first: string; last: string };

/** Two days, both included. Each is an empty string where the range is open. */
export type DayRange = { from: string; to: string };

/** Days of a calendar, and what happens when one is chosen. */
export type CalendarProps = Days & {
  /** The reader's current day, which the calendar marks. */
  today: string;
} & (
    | { mode: "single"; value: string; onSelect: (day: string) => void }
    | { mode: "range"; value: DayRange; onSelect: (range: DayRange) => void }
  );

/** True for a day of the calendar as `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) return false;
  // A browser may take 30 February for 2 March.
  return dayOf(new Date(text)) === text;
}

/** Returns a typed day with hyphens between its numbers. It may still be incomplete. */
export function readDay(typed: string): string {
  return typed.trim().replace(/[^0-9]+/g, "-");
}

/** Returns the day that is nearest to today among those that may be chosen. */
export function nearestDay(today: string, { first, last }: Days): string {
  if (today < first) return first;
  return today > last ? last : today;
}

/** Moves the focus to the calendar's chosen day, or to the one that Tab would reach; nowhere without a calendar. */
export function focusDay(within: Element): void {
  within.querySelector<HTMLElement>('[role="grid"] [tabindex="0"]')?.focus();
}
