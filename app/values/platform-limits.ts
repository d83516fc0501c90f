// Limits of Cloudflare, by its documentation.

/** Plan of Cloudflare Workers. */
export type Plan = "free" | "paid";

/** Bytes of one D1 database ("D1, Limits"). */
export const DATABASE_BYTES: Record<Plan, number> = { free: 500_000_000, paid: 10_000_000_000 };
