import { z } from "zod";
import { readDayRange } from "../../../lists/query/day-range.ts";
import type { ListNotice } from "../../../lists/query/list-params.ts";
import { ROLE_FILTERS, SEEN_DAYS, STATUS_FILTERS, type UserFilters } from "./filter-options.ts";

const Filters = z.object({
  role: z.enum(ROLE_FILTERS).optional().catch(undefined),
  status: z.enum(STATUS_FILTERS).optional().catch(undefined),
});

/** Reads the filters from the URL; unknown values are dropped. */
export function readUserFilters(url: URL): { filters: UserFilters; notices: ListNotice[] } {
  const { isMalformed, ...days } = readDayRange(url);
  const seen = readDayRange(url, SEEN_DAYS);
  const filters = Filters.parse(Object.fromEntries(url.searchParams));
  return {
    filters: { ...filters, ...days, seenFrom: seen.from, seenTo: seen.to },
    notices: isMalformed || seen.isMalformed ? ["common:list.dayIgnored"] : [],
  };
}
