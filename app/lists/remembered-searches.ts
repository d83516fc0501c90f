const PREFIX = "gatehouse.list:";

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

/** Removes the search params of all lists, because the next user of this tab may be another one. */
export function forgetSearches(): void {
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys) sessionStorage.removeItem(key);
  } catch {
    // Storage is off, so it holds nothing.
  }
}
