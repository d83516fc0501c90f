import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import { account, passkey } from "../../../db/schema/schema.ts";
import { findCookie, serializeCookie } from "../../../http/cookies.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";

const MAX_AGE_SECONDS = 600;

/** An account at a provider that does not vouch for its e-mail. A code to that e-mail links it. */
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

/** Returns the Set-Cookie value that keeps a pending link in the browser for 10 minutes. */
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

/** Returns the Set-Cookie value that deletes the browser's pending link; undefined without one. */
export function dropPendingLink(request: Request, isSecure: boolean): string | undefined {
  const name = cookieName(isSecure);
  return findCookie(request, name) && serializeCookie(name, "", { isSecure, maxAgeSeconds: 0 });
}

/** Returns the browser's pending link for an e-mail; undefined when it has expired or is for another e-mail. */
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
 * Statement that links a provider account to a user. It changes nothing when the account is already linked, to this
 * user or another, or when the user has a passkey, beside which a mailbox adds no sign-in method. A trigger writes the
 * audit event.
 */
export function insertLink(
  db: Db,
  { provider, accountId, email }: PendingLink,
  userId: string,
  now: Date,
) {
  const row = rowValues(account, {
    id: crypto.randomUUID(),
    providerId: provider,
    accountId,
    userId,
    email,
    createdAt: now,
    updatedAt: now,
    accessToken: null,
    refreshToken: null,
    idToken: null,
    scope: null,
    password: null,
    accessTokenExpiresAt: null,
    refreshTokenExpiresAt: null,
  });
  const hasPasskey = sql`EXISTS (SELECT 1 FROM ${passkey} WHERE ${passkey.userId} = ${userId})`;
  return db
    .insert(account)
    .select(sql`SELECT ${row} WHERE NOT ${hasPasskey}`)
    .onConflictDoNothing({ target: [account.providerId, account.accountId] });
}
