/** A count that may have stopped at its limit. */
export type AttentionCount = { count: number; isMore?: boolean };

/** Counts of what may need a manager's attention. */
export type Counts = Record<AttentionKind, AttentionCount>;

/** The most urgent first. Only what a manager can do something about. */
const ATTENTION = [
  "mailsFailed",
  "mailsBounced",
  "mailsComplained",
  "codesFailed",
  "mailsWaiting",
] as const;
export type AttentionKind = (typeof ATTENTION)[number];

/** Returns what needs attention, the most urgent first. */
export function needsAttention(counts: Counts) {
  return ATTENTION.flatMap((kind) => (counts[kind].count > 0 ? { kind, ...counts[kind] } : []));
}
