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

/** The calls of one day (`dayNumberOf`). */
export type CallDay = { day: number; calls: number; refused: number };
