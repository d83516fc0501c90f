import { getAuthenticatorName, passkey as passkeyPlugin } from "@better-auth/passkey";
import { APIError } from "better-auth/api";
import { and, count, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { passkey, user } from "../../../db/schema/schema.ts";
import { findCookie } from "../../../http/cookies.ts";
import { describeDevice } from "../../../values/user-agent.server.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";
import { currentScope } from "./scope.server.ts";
import {
  keepBackDecisive,
  know,
  knowUser,
  newSignInCall,
  readAhead,
  readProof,
  type SignInCall,
} from "./sign-in-call.server.ts";

export const PASSKEY_SIGN_IN_PATH = "/passkey/verify-authentication";

/** The cookie of a browser that was asked for a passkey. */
const CHALLENGE_COOKIE = "passkey";

/** That one person can have; a trigger knows it too. */
export const MAX_PASSKEYS = 10;

/**
 * Signing in without a code, by what a device or a security key holds and a finger, a face or a PIN unlocks (WebAuthn
 * level 3). The plugin asks for the person's verification but takes an answer without it, and follows the counter
 * without looking at it again when it writes: both are looked at here, once the signature has been found genuine.
 */
export function passkeys({ db, baseUrl }: { db: Db; baseUrl: string }) {
  return passkeyPlugin({
    rpID: new URL(baseUrl).hostname,
    rpName: "Gatehouse",
    origin: baseUrl,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    advanced: { webAuthnChallengeCookie: CHALLENGE_COOKIE },
    registration: {
      async afterVerification({ verification, user }) {
        const info = verification.registrationInfo;
        if (!info?.userVerified) throw notVerified();
        const [row] = await db
          .select({ passkeys: count() })
          .from(passkey)
          .where(eq(passkey.userId, user.id));
        if ((row?.passkeys ?? 0) >= MAX_PASSKEYS) throw tooMany();
        return { name: getAuthenticatorName(info.aaguid) ?? nameOfDevice() };
      },
    },
    authentication: {
      async afterVerification({ verification }) {
        const info = verification.authenticationInfo;
        if (!info.userVerified) throw notVerified();
        const { request, signInCall } = currentScope();
        if (!signInCall) throw new Error("A passkey was used outside a call that signs in");
        const used = db
          .update(passkey)
          .set({ backedUp: info.credentialBackedUp, lastUsedAt: request.now() })
          .where(
            and(
              eq(passkey.credentialID, info.credentialID),
              // Many authenticators do not count; theirs stays at 0.
              or(
                lt(passkey.counter, info.newCounter),
                and(eq(passkey.counter, 0), sql`${info.newCounter} = 0`),
              ),
            ),
          );
        keepBackDecisive(signInCall, used);
      },
    },
  });
}

/**
 * Opens the call that signs in with a passkey: its challenge, the passkey and its user are read ahead. Undefined for a
 * browser without a challenge, which signs nobody in.
 */
export function openPasskeyCall(
  db: Db,
  { request, isSecure }: { request: Request; isSecure: boolean },
  credentialId: string,
): SignInCall | undefined {
  // better-auth looks at the signature behind the dot.
  const [token] =
    findCookie(request, `${cookiePrefix(isSecure)}.${CHALLENGE_COOKIE}`)?.split(".") ?? [];
  if (!token) return undefined;
  const call = newSignInCall(db);
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

function notVerified(): APIError {
  return new APIError("UNAUTHORIZED", {
    code: "AUTHENTICATION_FAILED",
    message: "Authentication failed",
  });
}

function tooMany(): APIError {
  return new APIError("CONFLICT", { code: "TOO_MANY_PASSKEYS", message: "Too many passkeys" });
}

/** What a passkey is called until its owner says otherwise. */
function nameOfDevice(): string {
  const device = describeDevice(currentScope().request.userAgent ?? null);
  return device ? `${device.browser} · ${device.system}` : "Passkey";
}
