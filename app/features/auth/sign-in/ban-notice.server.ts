import { z } from "zod";
import { findCookie } from "../../../http/cookies.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";

/** Reason and end of a ban; null without a reason or without an end. */
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

/** Encrypts a ban for a cookie: a refused user has no session, and only that user may read the reason. */
export function sealBanNotice(keys: Keys, notice: BanNotice): Promise<string> {
  return keys.encrypt("ban-notice", JSON.stringify(notice));
}

/** Returns the ban for which this browser was just refused. */
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
