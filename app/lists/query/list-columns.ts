import { useLocation } from "react-router";

/** Search param with the keys of the hidden columns, joined by commas. Empty when all columns show. */
export const HIDDEN_COLUMNS = "hide";

type HidableColumn = { key: string; isHiddenAtFirst?: boolean };

/** Returns the keys of the columns that the URL hides; without a choice, those that are hidden at first. */
export function useHiddenColumns(columns: readonly HidableColumn[]): ReadonlySet<string> {
  const { search } = useLocation();
  const chosen = new URLSearchParams(search).get(HIDDEN_COLUMNS);
  return new Set(chosen === null ? hiddenAtFirst(columns) : chosen.split(",").filter(Boolean));
}

/** Returns the value of the search param that hides these columns; undefined when they are those hidden at first. */
export function hiddenParam(
  hidden: readonly string[],
  columns: readonly HidableColumn[],
): string | undefined {
  const first = hiddenAtFirst(columns);
  const isFirst = hidden.length === first.length && first.every((key) => hidden.includes(key));
  return isFirst ? undefined : hidden.join(",");
}

function hiddenAtFirst(columns: readonly HidableColumn[]): string[] {
  return columns.filter(({ isHiddenAtFirst }) => isHiddenAtFirst).map(({ key }) => key);
}
