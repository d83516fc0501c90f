/** Counts of what may need a manager's attention; null until the cron has counted them. */
export type Counts = Record<AttentionKind, number | null>;

/** In the order of their urgency. */
const ATTENTION = [
  "mailsFailed",
  "mailsBounced",
  "mailsComplained",
  "codesFailed",
  "mailsWaiting",
  "wrongCodes",
  "notOnboarded",
] as const;
export type AttentionKind = (typeof ATTENTION)[number];

/** Returns what needs attention, the most urgent first, and whether all of it has been counted. */
export function needsAttention(counts: Counts) {
  const items = ATTENTION.flatMap((kind) => {
    const count = counts[kind];
    return count ? [{ kind, count }] : [];
  });
  return { items, isComplete: ATTENTION.every((kind) => counts[kind] !== null) };
}
