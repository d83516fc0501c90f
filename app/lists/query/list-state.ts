import type { MessageReference } from "../../ui/text/message.tsx";
import { encodeCursor, type ListParams, readListParams } from "./list-params.ts";
import { MAX_ROWS } from "./list-sizes.ts";

/** What a list's screen needs beside the rows. */
export type ListState = {
  searchTerm: string;
  sort: string;
  direction: "asc" | "desc";
  size: number;
  notices: MessageReference[];
  total: { count: number; isCapped: boolean };
  shown: number;
  /** Search params of the URL that shows more rows; undefined at the end. */
  more: Record<string, string> | undefined;
  isFirstPage: boolean;
  /** Why the rows could not be loaded: the database did not answer, or something else went wrong. */
  failure?: "silent" | "other";
};

type Page = {
  shown: number;
  hasMore: boolean;
  total: { count: number; isCapped: boolean };
  cursor: { value: string | number | null; id: string } | undefined;
};

/**
 * Returns what a list's screen needs beside the rows: either one more page at this URL, or the next chunk behind a
 * cursor.
 */
export function listState(params: ListParams<string>, page: Page): ListState {
  const { searchTerm, sort, direction, size, notices, pages, after } = params;
  const { shown, total, hasMore, cursor } = page;
  const isGrowing = size * (pages + 1) <= MAX_ROWS;
  return {
    searchTerm,
    sort,
    direction,
    size,
    notices,
    total,
    shown,
    isFirstPage: after === undefined,
    more: !hasMore
      ? undefined
      : isGrowing
        ? { pages: String(pages + 1), ...(after && { after: encodeCursor(after) }) }
        : cursor && { after: encodeCursor(cursor) },
  };
}

/** Returns the state of a list whose rows could not be loaded, from the URL alone. */
export function failedListState(url: URL, failure: ListState["failure"]): ListState {
  const params = readListParams(url, [url.searchParams.get("sort") ?? ""], "desc");
  const page = {
    shown: 0,
    hasMore: false,
    total: { count: 0, isCapped: false },
    cursor: undefined,
  };
  return { ...listState(params, page), failure };
}
