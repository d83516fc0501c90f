import { APIError } from "better-auth/api";
import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { passkey, user, verification } from "../../../db/schema/schema.ts";
import { findCookie } from "../../../http/cookies.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";
import { addToFirst } from "./first-batch.server.ts";
import { know, take } from "./rows-ahead.server.ts";
import type { GatewayScope, PasskeyUse } from "./scope.server.ts";

export const PASSKEY_SIGN_IN_PATH = "/passkey/verify-authentication";

/** Every path of better-auth about passkeys begins with it. */
export const PASSKEY_PATHS = "/passkey/";

/** Our own endpoint: proves the current session by a passkey. */
export const PASSKEY_CONFIRM_PATH = "/passkey/confirm-session";

/** Cookie of a browser that has a passkey challenge. */
export const CHALLENGE_COOKIE = "passkey";

/** Passkeys that one user can have; a trigger has the same limit. */
export const MAX_PASSKEYS = 10;

/**
 * Opens a call with a passkey: its challenge is taken out of the database, so only one of two calls finds it; the passkey
 * and its user are read ahead.
 */
export function openPasskeyCall(
  db: Db,
  { rows, first, noted }: Pick<GatewayScope, "rows" | "first" | "noted">,
  browser: { request: Request; isSecure: boolean },
  credentialId: string,
  confirms: PasskeyUse["confirms"],
): PasskeyUse {
  const use: PasskeyUse = {
    type: "passkey",
    id: undefined,
    isBackedUp: undefined,
    confirms,
    isConfirmed: false,
  };
  // better-auth checks the signature after the dot.
  const cookie = findCookie(
    browser.request,
    `${cookiePrefix(browser.isSecure)}.${CHALLENGE_COOKIE}`,
  );
  const [identifier = ""] = cookie?.split(".") ?? [];
  const isUsed = eq(passkey.credentialID, credentialId);
  const owner = db.select({ id: passkey.userId }).from(passkey).where(isUsed);
  addToFirst(
    first,
    (isAllowed) =>
      [
        db.select().from(passkey).where(isUsed),
        db.select().from(user).where(inArray(user.id, owner)),
        db
          .delete(verification)
          .where(and(eq(verification.identifier, identifier), isAllowed))
          .returning(),
      ] as const,
    ([passkeys, users, challenges]) => {
      take(rows, "verification", { identifier }, challenges);
      know(rows, "passkey", { credentialID: credentialId }, passkeys);
      for (const found of users) know(rows, "user", { id: found.id }, [found]);
      noted.people = users;
      use.id = passkeys[0]?.id;
    },
  );
  return use;
}

/** The error of a passkey that proves nothing here. */
export function notVerified(): APIError {
  return new APIError("UNAUTHORIZED", {
    code: "AUTHENTICATION_FAILED",
    message: "Authentication failed",
  });
}
