import { useLocation } from "react-router";

/** Search param with the keys of the hidden columns, joined by commas. */
export const HIDDEN_COLUMNS = "hide";

/** Returns the keys of the columns that the URL hides. */
export function useHiddenColumns(): ReadonlySet<string> {
  const { search } = useLocation();
  const names = new URLSearchParams(search).get(HIDDEN_COLUMNS);
  return new Set(names?.split(",").filter(Boolean));
}
