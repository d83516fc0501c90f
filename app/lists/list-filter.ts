/** Filters of a list, by their names in the URL. */
export type Filters = Record<string, string | undefined>;

/** True when any filter is set. */
export function hasAny(filters: Filters): boolean {
  return countSet(filters) > 0;
}

/** Returns how many filters are set. */
export function countSet(filters: Filters): number {
  return Object.values(filters).filter(Boolean).length;
}
