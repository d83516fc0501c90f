// Limits of Cloudflare, by its documentation.

export type Plan = "free" | "paid";

/** Bytes of one D1 database ("D1, Limits"). */
export const DATABASE_BYTES: Record<Plan, number> = { free: 500_000_000, paid: 10_000_000_000 };

/** Statements that D1 takes in one invocation of the worker. Each statement of a batch is counted. */
export const D1_QUERIES = { free: 50, paid: 1_000 } as const;

/**
 * Milliseconds that the product waits for D1, which can be silent for minutes: for a statement or
 * batch that only reads, for one that writes, and for all statements of a request. An answer takes
 * 12 seconds at most; one is left to draw it.
 */
export const D1_WAIT_MS = { read: 3_000, write: 8_000, request: 11_000 } as const;

/** Statements of a request for the session, the rights and the page around a change of many rows. */
const STATEMENTS_AROUND = 18;

/** Returns how many rows one request may change one by one, when each takes so many statements. */
export function rowsAtOnce(plan: Plan, statementsOfARow: number): number {
  return Math.floor((D1_QUERIES[plan] - STATEMENTS_AROUND) / statementsOfARow);
}

/** Milliseconds that a request may compute on the free plan. On the paid plan `wrangler.toml` sets the limit. */
export const FREE_CPU_MS = 10;

/**
 * Accounts, and organizations, that one run of the cron erases; the next minute's run goes on. An account takes 13
 * statements.
 */
export const ERASED_IN_A_RUN = { free: 1, paid: 50 } as const;

/**
 * What Resend takes by its documentation ("Usage limits", "Account quotas and limits"): requests a
 * second of an account, and mails a day of its free plan. Other plans have no limit of a day.
 */
export const MAIL_PROVIDER = { requestsASecond: 2, freeMailsADay: 100 } as const;

/** Cron triggers of an account ("Workers, Limits"). */
export const CRON_TRIGGERS = { free: 5, paid: 250 } as const;
