import { dayAfter } from "../../values/time.ts";

/** Events are counted in slots of this length: in every time zone a day begins with one. */
export const SLOT_MS = 900_000;

/** Returns the slot of a moment. */
export function slotOf(moment: Date): number {
  return Math.floor(moment.getTime() / SLOT_MS);
}

/** A calendar day of the reader, with its first slot and the first one after it. */
export type Day = { key: string; from: number; to: number };

type Calendar = { dayKey: (moment: Date) => string; startOfDay: (key: string) => Date };

/** Returns the last days in the reader's time zone, today last. */
export function lastDays(count: number, { dayKey, startOfDay }: Calendar, now: Date): Day[] {
  const today = dayKey(now);
  const keys = Array.from({ length: count + 1 }, (_, index) => dayAfter(today, index + 1 - count));
  const starts = keys.map((key) => slotOf(startOfDay(key)));
  return keys.slice(0, count).map((key, index) => ({
    key,
    from: starts[index] ?? 0,
    to: starts[index + 1] ?? 0,
  }));
}

/** Returns the change against a previous value, as a part of it: 1.32 is 132 % more. Undefined without a value. */
export function growthOf(count: number, before: number): number | undefined {
  return before ? (count - before) / before : undefined;
}
