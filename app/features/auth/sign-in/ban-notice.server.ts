import { z } from "zod";
import { findCookie } from "../../../http/cookies.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";

/** Why and until when somebody is banned; `until` is absent when the ban has no end. */
export type BanNotice = { reason: string | null; until: Date | null };

export const BAN_NOTICE_MAX_AGE_SECONDS = 300;

const Sealed = z.object({
  reason: z.string().nullable(),
  until: z.iso
    .datetime()
    .transform((value) => new Date(value))
    .nullable(),
});

export function banNoticeCookieName(isSecure: boolean): string {
  return `${cookiePrefix(isSecure)}.ban`;
}

/** A ban as the value of a cookie: whoever was refused has no session, and only they may read the reason. */
export function sealBanNotice(keys: Keys, notice: BanNotice): Promise<string> {
  return keys.encrypt("ban-notice", JSON.stringify(notice));
}

/** The ban this browser was refused for a moment ago. */
export async function findBanNotice(
  keys: Keys,
  request: Request,
  isSecure: boolean,
): Promise<BanNotice | undefined> {
  const cookie = findCookie(request, banNoticeCookieName(isSecure));
  if (!cookie) return undefined;
  try {
    return Sealed.parse(JSON.parse(await keys.decrypt("ban-notice", cookie)));
  } catch {
    return undefined;
  }
}
