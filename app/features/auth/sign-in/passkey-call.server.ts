import { APIError } from "better-auth/api";
import { eq, inArray } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { passkey, user } from "../../../db/schema/schema.ts";
import { findCookie } from "../../../http/cookies.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";
import {
  know,
  knowUser,
  newSignInCall,
  readAhead,
  readProof,
  type SignInCall,
} from "./sign-in-call.server.ts";

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
 * Opens a call that signs in with a passkey: its challenge, the passkey and its user are read ahead. Undefined for a
 * browser without a challenge, which cannot sign in.
 */
export function openPasskeyCall(
  db: Db,
  { request, isSecure }: { request: Request; isSecure: boolean },
  credentialId: string,
): SignInCall | undefined {
  // better-auth checks the signature after the dot.
  const [token] =
    findCookie(request, `${cookiePrefix(isSecure)}.${CHALLENGE_COOKIE}`)?.split(".") ?? [];
  if (!token) return undefined;
  const call = newSignInCall(db);
  call.isByPasskey = true;
  call.credentialId = credentialId;
  readProof(call, token);
  const isUsed = eq(passkey.credentialID, credentialId);
  const passkeys = db.select().from(passkey).where(isUsed);
  readAhead(
    call,
    () => passkeys,
    (rows) => know(call, { model: "passkey", where: { credentialID: credentialId } }, rows),
  );
  const owner = db.select({ id: passkey.userId }).from(passkey).where(isUsed);
  const users = db.select().from(user).where(inArray(user.id, owner));
  readAhead(
    call,
    () => users,
    ([found]) => {
      if (found) knowUser(call, { id: found.id }, found);
    },
  );
  return call;
}

/** The error of a passkey that proves nothing here. */
export function notVerified(): APIError {
  return new APIError("UNAUTHORIZED", {
    code: "AUTHENTICATION_FAILED",
    message: "Authentication failed",
  });
}
