/** What can become of a mail after the provider took it. */
export const DELIVERIES = [
  "delayed",
  "failed",
  "delivered",
  "bounced",
  "suppressed",
  "complained",
] as const;

export type Delivery = (typeof DELIVERIES)[number];

export type MailboxRefusal = "bounced" | "suppressed" | "complained";

/**
 * Returns what a new state replaces: the states before it in the list. Events come in any order, so the order of
 * their arrival decides nothing.
 */
export function replacedBy(delivery: Delivery): Delivery[] {
  return DELIVERIES.slice(0, DELIVERIES.indexOf(delivery));
}
