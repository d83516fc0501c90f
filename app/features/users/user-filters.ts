import { z } from "zod";
import { type DayRange, readDayRange } from "../../http/day-range.ts";

/** What the list may be ordered by; the first is the default. */
export const USER_SORTS = ["created", "name", "email", "seen"] as const;

export const ROLE_FILTERS = ["admin", "user"] as const;
export const STATUS_FILTERS = [
  "active",
  "banned",
  "not-onboarded",
  "unverified",
  "never-signed-in",
] as const;

/** When the list's people were seen last, as their own two days of the address. */
export const SEEN_DAYS = { from: "seenFrom", to: "seenTo" } as const;

export type UserFilters = DayRange & {
  seenFrom?: string;
  seenTo?: string;
  role?: (typeof ROLE_FILTERS)[number];
  status?: (typeof STATUS_FILTERS)[number];
};

const Filters = z.object({
  role: z.enum(ROLE_FILTERS).optional().catch(undefined),
  status: z.enum(STATUS_FILTERS).optional().catch(undefined),
});

/** The filters of an address; one that is not in the list is dropped. */
export function readUserFilters(url: URL): { filters: UserFilters; isMalformed: boolean } {
  const { isMalformed, ...days } = readDayRange(url);
  const seen = readDayRange(url, SEEN_DAYS);
  const filters = Filters.parse(Object.fromEntries(url.searchParams));
  return {
    filters: { ...filters, ...days, seenFrom: seen.from, seenTo: seen.to },
    isMalformed: isMalformed || seen.isMalformed,
  };
}
