import { isShortTerm } from "./search.server.ts";

/** Searches of one or two characters that a user may make in a minute, over all lists and the palette. */
const MAX_SEARCHES = 30;
const WINDOW_MS = 60_000;
/** Users that are remembered at once. Above this, users whose minute is over are forgotten. */
const MAX_USERS = 10_000;

export type SearchPermit = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** Counts a search against its user's limit. */
export type SearchLimit = (search: {
  userId: string;
  searchTerm: string | null;
  now: Date;
}) => SearchPermit;

/**
 * Returns a limit of short searches by user. They read the most rows, and D1 runs one statement at a time. The count is
 * in the isolate's memory, because a counter in the database would cost each search a round trip and a write.
 */
export function createSearchLimit(): SearchLimit {
  const windows = new Map<string, { start: number; count: number }>();
  return ({ userId, searchTerm, now }) => {
    if (!searchTerm || !isShortTerm(searchTerm)) return { allowed: true };
    const time = now.getTime();
    if (windows.size > MAX_USERS) {
      for (const [id, { start }] of windows) if (start <= time - WINDOW_MS) windows.delete(id);
    }
    const current = windows.get(userId);
    const isOpen = current !== undefined && current.start > time - WINDOW_MS;
    const { start, count } = isOpen ? current : { start: time, count: 0 };
    windows.set(userId, { start, count: count + 1 });
    if (count < MAX_SEARCHES) return { allowed: true };
    return { allowed: false, retryAfterSeconds: Math.ceil((start + WINDOW_MS - time) / 1_000) };
  };
}
