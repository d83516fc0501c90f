import { createHash } from "node:crypto";
import type { BetterAuthOptions, BetterAuthPlugin, DBAdapter } from "better-auth";
import { getOAuthState } from "better-auth/api";
import { createAccessControl } from "better-auth/plugins/access";
import { admin } from "better-auth/plugins/admin";
import { captcha } from "better-auth/plugins/captcha";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { DEFAULT_ROLE, roles, statements } from "../../access/permissions.ts";
import { CAPTCHA_ACTION } from "../codes/code.ts";
import type { Secrets } from "../sessions/signed-value.ts";
import { type GuardOptions, SEND_CODE_PATH } from "../sign-in/code-guard.server.ts";
import { keepIdentity, keepIdentityOf } from "../sign-in/provider-call.server.ts";
import { currentScope, signInOf } from "../sign-in/scope.server.ts";
import { type AppleCredentials, appleClientSecret } from "./apple-secret.server.ts";

// The providers and plugins of better-auth with the product's settings.

export const OIDC_PROVIDER = "oidc";

type Credentials = { clientId: string; clientSecret: string };

export type AuthOptions = GuardOptions & {
  secrets: Secrets;
  adminEmails: string[];
  social: {
    github?: Credentials;
    google?: Credentials;
    microsoft?: Credentials;
    apple?: AppleCredentials;
    oidc?: Credentials & { discoveryUrl: string; emailDomains: string[] };
  };
  /** Asks for a captcha before a code is sent. */
  turnstile?: { secretKey: string; verifyUrl?: string };
  /** Plugins that only some calls need. */
  extraPlugins?: readonly BetterAuthPlugin[];
  /** Their tables, by the names that the plugins have for them. */
  extraTables?: Readonly<Record<string, SQLiteTable>>;
  /** Changes what the plugins read and write. */
  adapt?: (adapter: DBAdapter) => DBAdapter;
};

/** What a feature adds to better-auth for its own calls. */
export type AuthExtension = Required<Pick<AuthOptions, "extraPlugins" | "extraTables" | "adapt">>;

/** GitHub, Google, Microsoft and Apple, when they are configured. */
export function socialProviders(options: AuthOptions) {
  const { social } = options;
  const { apple } = social;
  return {
    ...(social.github && {
      github: {
        ...social.github,
        mapProfileToUser: ({ id, email }) => keepIdentity(options, "github", id, email),
      },
    }),
    ...(social.google && {
      google: {
        ...social.google,
        mapProfileToUser: ({ sub, email }) => keepIdentity(options, "google", sub, email),
      },
    }),
    ...(social.microsoft && {
      microsoft: {
        ...social.microsoft,
        disableDefaultScope: true,
        scope: ["openid", "profile", "email"],
        disableProfilePhoto: true,
        // Every tenant's admin writes any e-mail into this claim, so it proves nothing, whatever
        // the other claims say. A user who links the account in their own session needs no proof of
        // it.
        mapProfileToUser: async ({ oid, email }) => ({
          ...(await keepIdentity(options, "microsoft", oid, email)),
          emailVerified: Boolean((await getOAuthState())?.link),
        }),
      },
    }),
    ...(apple && {
      apple: {
        clientId: apple.clientId,
        // Made for each call, because it expires.
        get clientSecret() {
          return appleClientSecret(apple, new Date());
        },
        mapProfileToUser: ({ sub, email }) => keepIdentity(options, "apple", sub, email),
      },
    }),
  } satisfies BetterAuthOptions["socialProviders"];
}

/**
 * The secrets of better-auth, each with a version that is a fingerprint of it. What better-auth
 * encrypts names its version, and `secret` decrypts what an earlier release encrypted without one.
 */
export function betterAuthSecrets({ secret, previousSecrets }: Secrets) {
  const all = [secret, ...previousSecrets];
  return {
    secret: all.at(-1),
    secrets: all.map((value) => ({ version: fingerprintOf(value), value })),
  } satisfies BetterAuthOptions;
}

function fingerprintOf(secret: string): number {
  return createHash("sha256").update(secret).digest().readUInt32BE(0);
}

/** The captcha before a one-time code is sent, when it is configured. */
export function captchas({ turnstile, baseUrl }: AuthOptions) {
  if (!turnstile) return [];
  return [
    captcha({
      provider: "cloudflare-turnstile",
      secretKey: turnstile.secretKey,
      endpoints: [SEND_CODE_PATH],
      // Turnstile does not bind a token to a site or an action by itself: a token from another site or action
      // would count.
      expectedAction: CAPTCHA_ACTION,
      allowedHostnames: [new URL(baseUrl).hostname],
      ...(turnstile.verifyUrl && { siteVerifyURLOverride: turnstile.verifyUrl }),
    }),
  ];
}

/** The roles, and the ban of a user. */
export function accessRoles() {
  const accessControl = createAccessControl(statements);
  return admin({
    ac: accessControl,
    roles: {
      admin: accessControl.newRole(roles.admin),
      support: accessControl.newRole(roles.support),
      auditor: accessControl.newRole(roles.auditor),
      user: accessControl.newRole(roles.user),
    },
    defaultRole: DEFAULT_ROLE,
    adminRoles: ["admin"],
    // Not for its text, which is never shown: better-auth tells only here which user was refused.
    bannedUserMessage(user: {
      email: string;
      banReason?: string | null;
      banExpires?: Date | null;
    }) {
      const signIn = signInOf(currentScope());
      if (signIn) {
        signIn.ban = { reason: user.banReason ?? null, until: user.banExpires ?? null };
        signIn.bannedEmail = user.email;
      }
      return "BANNED_USER";
    },
  });
}

/** The OpenID provider, when it is configured. */
export function openIdProviders(options: AuthOptions) {
  const { social } = options;
  if (!social.oidc) return [];
  const { emailDomains: domains, ...provider } = social.oidc;
  return [
    genericOAuth({
      config: [
        {
          ...provider,
          providerId: OIDC_PROVIDER,
          scopes: ["openid", "email", "profile"],
          pkce: true,
          requireIdTokenVerification: true,
          mapProfileToUser: ({ sub, email }) =>
            keepIdentityOf(options, OIDC_PROVIDER, sub, { email, domains }),
        },
      ],
    }),
  ];
}
