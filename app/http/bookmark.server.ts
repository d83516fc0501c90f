import type { Keys } from "../worker/keys.server.ts";
import { findCookie, serializeCookie } from "./cookies.ts";

const BOOKMARK_COOKIE = "gatehouse.bookmark";
/** Far longer than a replica ever lags. */
const MAX_AGE_SECONDS = 600;

/** How far the database must have come for this browser to see its own last write. Only a bookmark of ours counts. */
export async function findBookmark(request: Request, keys: Keys): Promise<string | undefined> {
  const cookie = findCookie(request, BOOKMARK_COOKIE);
  return cookie && (await keys.decrypt("bookmark", cookie).catch(() => undefined));
}

/** Sealed: a bookmark counts the database's writes, and those tell a mailbox with an account from one without. */
export async function bookmarkCookie(bookmark: string, keys: Keys): Promise<string> {
  return serializeCookie(BOOKMARK_COOKIE, await keys.encrypt("bookmark", bookmark), {
    maxAgeSeconds: MAX_AGE_SECONDS,
  });
}
