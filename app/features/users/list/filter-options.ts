import type { DayRange } from "../../../lists/query/day-range.ts";

/** Sort orders of the list; the first is the default. */
export const USER_SORTS = ["created", "name", "email", "seen"] as const;

export const ROLE_FILTERS = ["admin", "support", "auditor", "user"] as const;
export const STATUS_FILTERS = [
  "active",
  "banned",
  "not-onboarded",
  "unverified",
  "added",
  "invited",
  "bounced",
  "never-signed-in",
] as const;

/** URL parameters for the range of days in which a user was last seen. */
export const SEEN_DAYS = { from: "seenFrom", to: "seenTo" } as const;

export type UserFilters = DayRange & {
  seenFrom?: string;
  seenTo?: string;
  role?: (typeof ROLE_FILTERS)[number];
  status?: (typeof STATUS_FILTERS)[number];
};
