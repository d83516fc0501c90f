import { DAY_MS } from "../../values/time.ts";

/**
 * Days between the request for account deletion and the erasure: long enough to notice the mail and to change one's
 * mind.
 */
export const GRACE_DAYS = 7;

/** Search param of the login screen with the day of a deletion, such as 2026-11-29 in UTC. */
export const DELETION_PARAM = "deletion";

/** Reads the day of a deletion from the login screen's URL; undefined when it cannot be one. */
export function readDeletionDay(value: string | null, now: Date): Date | undefined {
  if (!value || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const day = new Date(value);
  const days = (day.getTime() - now.getTime()) / DAY_MS;
  return days > -1 && days <= GRACE_DAYS ? day : undefined;
}
