import { getAuthenticatorName, passkey as passkeyPlugin } from "@better-auth/passkey";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../../db/db.server.ts";
import { passkey } from "../../../db/schema/schema.ts";
import type { Language } from "../../../i18n/languages.ts";
import { describeDevice } from "../../../values/user-agent.server.ts";
import { CHALLENGE_COOKIE, MAX_PASSKEYS, notVerified } from "./passkey-call.server.ts";
import { currentScope } from "./scope.server.ts";

/** Returns the product's name in a language. */
export type ProductName = (language: Language, now: Date) => Promise<string>;

/**
 * Sign-in without a code: a device or security key proves itself after a finger, a face or a PIN unlocks it (WebAuthn
 * level 3). The plugin requests user verification but accepts an answer without it. That is checked here, after the
 * signature was verified.
 */
export function passkeys({ db, baseUrl }: { db: Db; baseUrl: string }) {
  return passkeyPlugin({
    rpID: new URL(baseUrl).hostname,
    origin: baseUrl,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    advanced: { webAuthnChallengeCookie: CHALLENGE_COOKIE },
    registration: {
      async afterVerification({ verification, user }) {
        const info = verification.registrationInfo;
        if (!info?.userVerified) throw notVerified();
        const others = await db
          .select({ name: passkey.name })
          .from(passkey)
          .where(eq(passkey.userId, user.id));
        if (others.length >= MAX_PASSKEYS) throw tooMany();
        const name = getAuthenticatorName(info.aaguid) ?? nameOfDevice();
        return { name: newName(name, new Set(others.map((other) => other.name))) };
      },
    },
    authentication: {
      async afterVerification({ verification }) {
        const info = verification.authenticationInfo;
        if (!info.userVerified) throw notVerified();
        // The counter is checked by better-auth, and again by a trigger when it is written.
        const { subject } = currentScope();
        if ("isBackedUp" in subject) subject.isBackedUp = info.credentialBackedUp;
      },
    },
  });
}

const RegistrationOptions = z.looseObject({ rp: z.looseObject({}) });

/** Names the product in the browser's prompt for a new passkey. The plugin takes one name, and the brand has four. */
export function passkeyPrompt(productName: ProductName) {
  return {
    id: "gatehouse-passkey-prompt",
    hooks: {
      after: [
        {
          matcher: ({ path }) => path === "/passkey/generate-register-options",
          handler: createAuthMiddleware(async (ctx) => {
            const options = RegistrationOptions.safeParse(ctx.context.returned).data;
            if (!options) return;
            const { language, request } = currentScope();
            const name = await productName(language, request.now());
            return ctx.json({ ...options, rp: { ...options.rp, name } });
          }),
        },
      ],
    },
  } satisfies BetterAuthPlugin;
}

function tooMany(): APIError {
  return new APIError("CONFLICT", { code: "TOO_MANY_PASSKEYS", message: "Too many passkeys" });
}

function nameOfDevice(): string {
  const device = describeDevice(currentScope().request.userAgent ?? null);
  return device ? `${device.browser} · ${device.system}` : "Passkey";
}

/** Returns a default name that no other passkey of the user has: "iCloud Keychain", then "iCloud Keychain 2". */
function newName(name: string, taken: Set<string | null>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number++) candidate = `${name} ${number}`;
  return candidate;
}
