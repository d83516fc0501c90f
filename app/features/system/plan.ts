/** Cloudflare's plan of the account. */
export type Plan = "free" | "paid";

/** Limits of D1 (Cloudflare's documentation, "Limits" and "Pricing"): bytes of one database, rows of the account. */
const LIMITS = {
  free: { bytes: 500_000_000, rowsReadADay: 5_000_000, rowsWrittenADay: 100_000 },
  // The paid plan includes 25 billion rows read and 50 million written a month, and charges for more.
  paid: { bytes: 10_000_000_000, rowsReadADay: undefined, rowsWrittenADay: undefined },
} as const;

/** Returns how many bytes one database may have. */
export function sizeLimitOf(plan: Plan): number {
  return LIMITS[plan].bytes;
}

/** Returns how many rows may be read and written a day; undefined without a limit by day. */
export function rowLimitsOf(plan: Plan): { read: number | undefined; written: number | undefined } {
  return { read: LIMITS[plan].rowsReadADay, written: LIMITS[plan].rowsWrittenADay };
}
