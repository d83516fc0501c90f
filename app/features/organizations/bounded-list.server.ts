import { foldForSearch } from "../../db/fold.ts";
import { readListParams } from "../../lists/query/list-params.ts";
import { type ListState, listState } from "../../lists/query/list-state.ts";

/**
 * Searches and pages rows that are all loaded, because their number is limited (such as 100 members).
 * `textOf` returns what the search term is looked for in.
 */
export function boundedList<Row>(
  rows: Row[],
  url: URL,
  textOf: (row: Row) => string,
): { rows: Row[]; state: ListState } {
  const params = readListParams(url, ["name"], "asc");
  const term = foldForSearch(params.searchTerm);
  const found = rows.filter((row) => foldForSearch(textOf(row)).includes(term));
  const shown = found.slice(0, params.size * params.pages);
  return {
    rows: shown,
    state: listState(
      { ...params, after: undefined },
      {
        shown: shown.length,
        hasMore: found.length > shown.length,
        total: { count: found.length, isCapped: false },
        cursor: undefined,
      },
    ),
  };
}
