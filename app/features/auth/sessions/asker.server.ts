import { findCookie, serializeCookie } from "../../../http/cookies.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { cookiePrefix } from "./cookie-prefix.ts";

const MAX_AGE_SECONDS = 86_400;

function askerCookieName(isSecure: boolean): string {
  return `${cookiePrefix(isSecure)}.asker`;
}

type Options = { keys: Keys; isSecure: boolean };

/** Returns the id of a browser that has asked for a sign-in code; undefined for any other. */
export async function findAsker(
  { keys, isSecure }: Options,
  request: Request,
): Promise<string | undefined> {
  const [id = "", signature = ""] =
    findCookie(request, askerCookieName(isSecure))?.split(".") ?? [];
  return (await keys.verifyMac("asker", id, signature)) ? id : undefined;
}

/**
 * Returns the Set-Cookie value that lets a browser's tries count on the codes it has asked for, and not on those of
 * others. It proves nothing else.
 */
export async function askerCookie({ keys, isSecure }: Options, id: string): Promise<string> {
  const value = `${id}.${await keys.mac("asker", id)}`;
  return serializeCookie(askerCookieName(isSecure), value, {
    isSecure,
    maxAgeSeconds: MAX_AGE_SECONDS,
  });
}
