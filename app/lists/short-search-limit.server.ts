import { isShortTerm } from "./search.server.ts";

/** A user may search so many times a minute for one or two characters, over all lists and the palette. */
const MAX_SEARCHES = 30;
const WINDOW_MS = 60_000;
/** Users that are remembered at once; more than that forget those whose minute is over. */
const MAX_USERS = 10_000;

export type SearchPermit = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** Counts the short searches of each user. */
export type SearchLimit = (search: {
  userId: string;
  searchTerm: string | null;
  now: Date;
}) => SearchPermit;

/**
 * A limit of short searches by user: they read the most, and D1 does one statement after the other. It counts in the
 * isolate's memory, because a counter in the database would cost each search a round trip and a write.
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
