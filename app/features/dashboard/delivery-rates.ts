/** What can become of a mail, as the database names it. */
export const OUTCOMES = [
  ...(["delayed", "failed", "delivered"] as const),
  ...(["bounced", "suppressed", "complained"] as const),
];

/** Mails by what became of them. */
export type DeliveryCounts = Record<(typeof OUTCOMES)[number], number>;

const NONE = { delayed: 0, failed: 0, delivered: 0, bounced: 0, suppressed: 0, complained: 0 };

/** Fewer mails say nothing: one bounce of ten is no trend. */
const MIN_MAILS = 50;
/** Above these rates, providers begin to hold a sender's mails back (Resend, "Acceptable use"). */
export const RATE_LIMITS = { bounced: 0.05, complained: 0.001 };

/** Sums the counts of several days. */
export function sumOf(days: { name: keyof DeliveryCounts; value: number }[]): DeliveryCounts {
  const counts = { ...NONE };
  for (const { name, value } of days) counts[name] += value;
  return counts;
}

/** Returns each outcome's part of all mails with an outcome; 0 without mails. */
export function ratesOf({ delivered, bounced, suppressed, complained }: DeliveryCounts) {
  const total = delivered + bounced + suppressed + complained;
  const part = (count: number) => (total > 0 ? count / total : 0);
  return {
    total,
    delivered: part(delivered),
    bounced: part(bounced),
    suppressed: part(suppressed),
    complained: part(complained),
  };
}

/** Returns the bounces and complaints that need attention; 0 while their rate is acceptable. */
export function alarmingDeliveries(counts: DeliveryCounts) {
  const rates = ratesOf(counts);
  const isMeasured = rates.total >= MIN_MAILS;
  return {
    mailsBounced: isMeasured && rates.bounced > RATE_LIMITS.bounced ? counts.bounced : 0,
    mailsComplained:
      isMeasured && rates.complained > RATE_LIMITS.complained ? counts.complained : 0,
  };
}
