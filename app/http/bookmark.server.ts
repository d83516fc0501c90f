import type { Keys } from "../runtime/keys.server.ts";
import { findCookie, serializeCookie } from "./cookies.ts";

const BOOKMARK_COOKIE = "gatehouse.bookmark";
/** Far longer than any replica lag. */
const MAX_AGE_SECONDS = 600;

/**
 * Returns the bookmark of this browser's last write, so that a replica can be new enough to show it. Only a bookmark
 * that we sealed counts.
 */
export async function findBookmark(request: Request, keys: Keys): Promise<string | undefined> {
  const cookie = findCookie(request, BOOKMARK_COOKIE);
  return cookie && (await keys.decrypt("bookmark", cookie).catch(() => undefined));
}

/** Encrypted, because a bookmark counts the database's writes, and these reveal whether an e-mail has an account. */
export async function bookmarkCookie(bookmark: string, keys: Keys): Promise<string> {
  return serializeCookie(BOOKMARK_COOKIE, await keys.encrypt("bookmark", bookmark), {
    maxAgeSeconds: MAX_AGE_SECONDS,
  });
}
