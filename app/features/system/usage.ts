/** Rows that the database read and wrote today, or why they are not known. */
export type Usage =
  | { isKnown: true; rowsRead: number; rowsWritten: number }
  /** "off": the settings are not complete. "refused": Cloudflare does not accept them. */
  | { isKnown: false; reason: "off" | "slow" | "refused" | "failing" };
