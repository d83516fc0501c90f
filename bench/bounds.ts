// What each figure of `npm run bench` may be at most. What users feel is the distance to the
// database, what operators pay is rows, and what maintainers pay is cleverness: so a change that
// crosses a bound says so in a decision, and no bound is a reason for clever code. Counts and bytes
// are the same on every machine, ratios nearly so; milliseconds need a quiet one.

/** Database calls one after another, and rows written in all, the mail sender's included. */
type Cost = { rounds: number; rowsWritten: number };

/** Journeys from the login screen to the first screen. */
export const JOURNEY_BOUNDS = {
  "a returning user signs in with a code": { rounds: 9, rowsWritten: 36 },
  "a returning user signs in with a code on a known device": { rounds: 9, rowsWritten: 28 },
  "a returning user signs in with a passkey": { rounds: 9, rowsWritten: 36 },
  "a returning user signs in with a provider": { rounds: 9, rowsWritten: 36 },
  "a new user signs up and gives a name": { rounds: 14, rowsWritten: 60 },
  // 60 of the requests, as before the sender's one row was counted.
  "the first admin signs up and sees the dashboard": { rounds: 15, rowsWritten: 61 },
} as const satisfies Record<string, Cost>;

/** Database calls of any page: session, shell and screen may ask apart. */
export const PAGE_ROUNDS = 3;

/** Documents between the right code and the first screen. */
export const DOCUMENTS_AFTER_CODE = 1;

/** Rows that a page of each kind may read at a million users, and the milliseconds that D1 may take for any. */
export const ROW_BOUNDS = {
  dashboard: 20_000,
  /** 90 days of slots, in each of which something happened: 96 a day and figure. */
  quarter: 40_000,
  /**
   * A list in its default order or by name, one role or status alone in the default order, a term that few rows have;
   * audit and mail.
   */
  everyday: 25_000,
  /** Every other combination of filter, order and term. Such a page may read past every user once, in an index. */
  other: 1_200_000,
} as const;
export const D1_MS = 400;

/** Bytes of the database for each user: 10 GB hold 2.5 million. */
export const BYTES_A_USER = 4_000;

/** CPU of a page, divided by that of a bare React Router page with the same elements and statements. */
export const TIMES_BARE_PAGE = 1.6;
/** CPU of a worker that answers "hello", divided by that of `/login` drawn. */
export const HELLO_BY_LOGIN = 0.018;

/** Bytes of JavaScript that a browser loads, and of the worker, gzipped. */
export const LOGIN_SCRIPT = 150_000;
export const LIST_SCRIPT = 180_000;
export const WORKER = 1_050_000;

/** Milliseconds and shift of the first paint on a phone. */
export const LOGIN_PAINT = { lcp: 800, tbt: 200, cls: 0 };
export const LIST_PAINT = { lcp: 1_500, tbt: 600 };
