import { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import { account } from "../../../db/schema/schema.ts";
import { findCookie, serializeCookie } from "../../../http/cookies.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";

const MAX_AGE_SECONDS = 600;

/** An account at a provider whose e-mail the provider does not vouch for. A code to that e-mail links it. */
export type PendingLink = { provider: string; accountId: string; email: string };

type Sealing = { keys: Keys; isSecure: boolean };

const Sealed = z.object({
  provider: z.string(),
  accountId: z.string(),
  email: z.string(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
});

function cookieName(isSecure: boolean): string {
  return `${cookiePrefix(isSecure)}.pending-link`;
}

/** The Set-Cookie value that keeps a pending link in the browser that came from the provider, for 10 minutes. */
export async function pendingLinkCookie(
  { keys, isSecure }: Sealing,
  link: PendingLink,
  now: Date,
): Promise<string> {
  const sealed: z.infer<typeof Sealed> = {
    ...link,
    expiresAt: now.getTime() + MAX_AGE_SECONDS * 1_000,
  };
  const value = await keys.encrypt("pending-link", JSON.stringify(sealed));
  return serializeCookie(cookieName(isSecure), value, {
    isSecure,
    maxAgeSeconds: MAX_AGE_SECONDS,
  });
}

/** The Set-Cookie value that drops the pending link of a browser; undefined when it has none. */
export function dropPendingLink(request: Request, isSecure: boolean): string | undefined {
  const name = cookieName(isSecure);
  return findCookie(request, name) && serializeCookie(name, "", { isSecure, maxAgeSeconds: 0 });
}

/** The pending link of a browser for an e-mail; undefined when it has expired or is for another e-mail. */
export async function findPendingLink(
  { keys, isSecure }: Sealing,
  request: Request,
  email: string,
  now: Date,
): Promise<PendingLink | undefined> {
  const cookie = findCookie(request, cookieName(isSecure));
  if (!cookie) return undefined;
  try {
    const { expiresAt, ...link } = Sealed.parse(
      JSON.parse(await keys.decrypt("pending-link", cookie)),
    );
    return link.email === email && expiresAt > now.getTime() ? link : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The statement that links an account at a provider to a user. It changes nothing when the account is linked already,
 * to this user or to another. A trigger writes the audit row.
 */
export function insertLink(
  db: Db,
  { provider, accountId }: PendingLink,
  userId: string,
  now: Date,
) {
  return db
    .insert(account)
    .values({
      id: crypto.randomUUID(),
      providerId: provider,
      accountId,
      userId,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: [account.providerId, account.accountId] });
}
