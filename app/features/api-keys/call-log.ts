import { DAY_MS } from "../../values/time.ts";

/** Days whose calls are kept, today and the six before. */
export const CALL_LOG_DAYS = 7;

/** The calls that a screen lists. */
export const LISTED_CALLS = 50;

/** A call with a key, as its owner's screen lists it. */
export type ListedCall = {
  day: number;
  /** Its number on the day. */
  number: number;
  at: Date;
  status: number;
  method: string;
  path: string;
  requestId: string;
};

/** The calls of one day, whose number counts from 1970 in UTC. */
export type CallDay = { day: number; calls: number; refused: number };

export function dayOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS);
}

/** Returns all days whose calls are kept, the oldest first, with the calls that were answered and refused. */
export function keptDays(days: readonly CallDay[], now: Date) {
  const first = dayOf(now) - CALL_LOG_DAYS + 1;
  return Array.from({ length: CALL_LOG_DAYS }, (_, index) => {
    const day = first + index;
    const { calls = 0, refused = 0 } = days.find((one) => one.day === day) ?? {};
    return { date: new Date(day * DAY_MS), good: calls - refused, bad: refused };
  });
}
