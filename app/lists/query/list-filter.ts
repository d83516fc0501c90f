export type Filters = Record<string, string | undefined>;

export function hasAny(filters: Filters): boolean {
  return countSet(filters) > 0;
}

/** True when a search or a filter may hide rows. */
export function isNarrowed({ searchTerm }: { searchTerm: string }, filters: Filters): boolean {
  return searchTerm !== "" || hasAny(filters);
}

export function countSet(filters: Filters): number {
  return Object.values(filters).filter(Boolean).length;
}
