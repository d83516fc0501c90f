/** Begins the names of all that a tab remembers of its user. */
const OF_USER = "gatehouse.";
const PREFIX = `${OF_USER}list:`;

/** Stores a list's search params in this tab, for the link back to the list. */
export function rememberSearch(list: string, search: string): void {
  try {
    sessionStorage.setItem(PREFIX + list, search);
  } catch {
    // Storage is off or full; the link leads to the plain list.
  }
}

/** Returns the search params that a list had last in this tab, or an empty string. */
export function rememberedSearch(list: string): string {
  try {
    return sessionStorage.getItem(PREFIX + list) ?? "";
  } catch {
    return "";
  }
}

/**
 * Removes the search params of all lists and the recent records of the palette, because the next
 * user of this tab may be another one.
 */
export function forgetSearches(): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(OF_USER));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // Storage is off, so it holds nothing.
  }
}
