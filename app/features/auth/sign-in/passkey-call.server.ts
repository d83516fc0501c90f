import { APIError } from "better-auth/api";
import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { passkey, user, verification } from "../../../db/schema/schema.ts";
import { findCookie } from "../../../http/cookies.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";
import { addToFirst } from "./first-batch.server.ts";
import { know, take } from "./rows-ahead.server.ts";
import {
  type Confirmation,
  type GatewayScope,
  newSignIn,
  type PasskeySignIn,
} from "./scope.server.ts";

export const PASSKEY_SIGN_IN_PATH = "/passkey/verify-authentication";

/** Every path of better-auth about passkeys begins with it. */
export const PASSKEY_PATHS = "/passkey/";

/** Our own endpoint: proves the current session by a passkey. */
export const PASSKEY_CONFIRM_PATH = "/passkey/confirm-session";

/** Cookie of a browser that has a passkey challenge. */
export const CHALLENGE_COOKIE = "passkey";

/** Passkeys that one user can have; a trigger has the same limit. */
export const MAX_PASSKEYS = 10;

type Scope = Pick<GatewayScope, "rows" | "first">;
type Browser = { request: Request; isSecure: boolean };

/** Opens a sign-in with a passkey. */
export function openPasskeySignIn(
  db: Db,
  scope: Scope,
  browser: Browser,
  credentialId: string,
): PasskeySignIn {
  const subject: PasskeySignIn = {
    ...newSignIn(),
    type: "passkey",
    signedIn: undefined,
    id: undefined,
    isBackedUp: undefined,
  };
  takeChallenge(db, scope, browser, credentialId, (id, users) => {
    subject.id = id;
    subject.people = users;
  });
  return subject;
}

/** Opens a call with a passkey that proves a session. */
export function openConfirmation(
  db: Db,
  scope: Scope,
  browser: Browser,
  { credentialId, confirms }: { credentialId: string; confirms: Confirmation["confirms"] },
): Confirmation {
  const subject: Confirmation = {
    type: "confirmation",
    id: undefined,
    isBackedUp: undefined,
    confirms,
    isConfirmed: false,
  };
  takeChallenge(db, scope, browser, credentialId, (id) => {
    subject.id = id;
  });
  return subject;
}

/**
 * Takes the challenge of a passkey out of the database, so only one of two calls finds it, and
 * reads the passkey and its user ahead.
 */
function takeChallenge(
  db: Db,
  { rows, first }: Scope,
  browser: Browser,
  credentialId: string,
  receive: (id: string | undefined, users: PasskeySignIn["people"]) => void,
): void {
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
      receive(passkeys[0]?.id, users);
    },
  );
}

/** The error of a passkey that proves nothing here. */
export function notVerified(): APIError {
  return new APIError("UNAUTHORIZED", {
    code: "AUTHENTICATION_FAILED",
    message: "Authentication failed",
  });
}
