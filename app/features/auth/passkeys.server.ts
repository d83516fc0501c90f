import { getAuthenticatorName, passkey as passkeyPlugin } from "@better-auth/passkey";
import { APIError } from "better-auth/api";
import { and, count, eq, lt, or, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { passkey } from "../../db/schema/schema.ts";
import { describeDevice } from "../../http/user-agent.server.ts";
import { currentScope } from "./scope.server.ts";

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
    advanced: { webAuthnChallengeCookie: "passkey" },
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
        const used = await db
          .update(passkey)
          .set({
            counter: info.newCounter,
            backedUp: info.credentialBackedUp,
            lastUsedAt: currentScope().request.now(),
          })
          .where(
            and(
              eq(passkey.credentialID, info.credentialID),
              // Many authenticators do not count; theirs stays at 0.
              or(
                lt(passkey.counter, info.newCounter),
                and(eq(passkey.counter, 0), sql`${info.newCounter} = 0`),
              ),
            ),
          )
          .returning({ id: passkey.id });
        if (used.length === 0) throw notVerified();
      },
    },
  });
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
