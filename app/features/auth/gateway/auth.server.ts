import type { BetterAuthOptions } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { betterAuth } from "better-auth/minimal";
import { admin } from "better-auth/plugins/admin";
import { captcha } from "better-auth/plugins/captcha";
import { emailOTP } from "better-auth/plugins/email-otp";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { eq } from "drizzle-orm";
import * as schema from "../../../db/schema/schema.ts";
import { accessControl, DEFAULT_ROLE, roles } from "../../access/permissions.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { CAPTCHA_ACTION, CODE_LENGTH, CODE_TRIES, CODE_TTL_MINUTES } from "../codes/code.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";
import { SESSION_IDLE_DAYS, SESSION_REFRESH_DAYS } from "../sessions/session-limits.ts";
import {
  codeGuard,
  type GuardOptions,
  SEND_CODE_PATH,
  SIGN_IN_PATH,
} from "../sign-in/code-guard.server.ts";
import { promotion } from "../sign-in/first-admin.server.ts";
import { signInWatch } from "../sign-in/new-device.server.ts";
import { passkeys } from "../sign-in/passkey-call.server.ts";
import { keepIdentity } from "../sign-in/provider-call.server.ts";
import { createRateLimitStorage } from "../sign-in/rate-limit.server.ts";
import { currentScope, gatewayScope } from "../sign-in/scope.server.ts";
import { keepBack, type SignInCall } from "../sign-in/sign-in-call.server.ts";
import { withSignInCalls } from "../sign-in/sign-in-call-adapter.server.ts";
import { signUpHooks } from "../sign-in/sign-up.server.ts";

export const AUTH_BASE_PATH = "/api/auth";

const DAY_SECONDS = 86_400;
export const OIDC_PROVIDER = "oidc";

type Credentials = { clientId: string; clientSecret: string };

export type AuthOptions = GuardOptions & {
  secret: string;
  baseUrl: string;
  isSecure: boolean;
  /** True when an e-mail without an account may sign up. */
  canSignUp: (email: string) => boolean;
  adminEmails: string[];
  mailer: Pick<Mailer, "prepare">;
  social: {
    github?: Credentials;
    google?: Credentials;
    oidc?: Credentials & { discoveryUrl: string };
  };
  turnstile: { secretKey: string; verifyUrl?: string } | undefined;
};

export type Auth = ReturnType<typeof createAuth>;

/** Creates better-auth with the product's settings. Only the auth gateway calls it. */
export function createAuth(options: AuthOptions) {
  const { db, keys, baseUrl, isSecure, canSignUp, social, turnstile } = options;
  return betterAuth({
    appName: "Gatehouse",
    baseURL: baseUrl,
    basePath: AUTH_BASE_PATH,
    secret: options.secret,
    database: (known: BetterAuthOptions) => {
      const connect = drizzleAdapter(db, { provider: "sqlite", schema, transaction: false });
      return withSignInCalls(connect(known));
    },
    // The cron deletes expired rows; here it would cost a round trip.
    verification: { disableCleanup: true },
    trustedOrigins: [baseUrl],
    telemetry: { enabled: false },
    // The gateway logs without bound parameters; better-auth's own lines contain session tokens when a statement fails.
    // So this writes nothing and only passes on the errors that an endpoint caught.
    logger: { level: "error", log: (_level, _message, ...details) => keepCaught(details) },
    onAPIError: { errorURL: `${baseUrl}/login/error`, throw: true },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 100,
      customStorage: createRateLimitStorage(db, keys, () => new Date()),
      customRules: {
        [SEND_CODE_PATH]: { window: 60, max: 10 },
        [SIGN_IN_PATH]: { window: 60, max: 20 },
        "/sign-in/social": { window: 60, max: 20 },
        "/link-social": { window: 60, max: 20 },
        "/passkey/generate-authenticate-options": { window: 60, max: 30 },
        "/passkey/verify-authentication": { window: 60, max: 20 },
        "/passkey/generate-register-options": { window: 60, max: 20 },
        "/passkey/verify-registration": { window: 60, max: 20 },
      },
    },
    session: {
      expiresIn: SESSION_IDLE_DAYS * DAY_SECONDS,
      updateAge: SESSION_REFRESH_DAYS * DAY_SECONDS,
      // A revoked session must fail on the next request, so no session data is cached in a cookie.
      cookieCache: { enabled: false },
      // The gateway checks how recent the authentication is. better-auth would count from the sign-in and ignore a
      // later re-authentication.
      freshAge: 0,
      additionalFields: {
        place: { type: "string", required: false, input: false },
        lastSeenAt: { type: "date", required: false, input: false },
      },
    },
    user: {
      additionalFields: {
        onboardedAt: { type: "date", required: false, input: false },
        language: { type: "string", required: false, input: false },
        theme: { type: "string", required: false, input: false },
        lastSeenAt: { type: "date", required: false, input: false },
        firstSeenAt: { type: "date", required: false, input: false, returned: false },
        searchKey: { type: "string", required: false, input: false, returned: false },
        version: { type: "number", required: false, input: false, defaultValue: 1 },
        createdBy: { type: "string", required: false, input: false },
      },
    },
    account: {
      encryptOAuthTokens: true,
      accountLinking: {
        enabled: true,
        requireLocalEmailVerified: true,
        allowDifferentEmails: false,
      },
    },
    advanced: {
      cookiePrefix: cookiePrefix(isSecure),
      // better-auth's own secure prefix is `__Secure-`; our cookie names already have a prefix.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure, httpOnly: true, sameSite: "lax", path: "/" },
      ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
    },
    socialProviders: {
      ...(social.github && {
        github: {
          ...social.github,
          mapProfileToUser: ({ id, email }) => keepIdentity("github", id, email),
        },
      }),
      ...(social.google && {
        google: {
          ...social.google,
          mapProfileToUser: ({ sub, email }) => keepIdentity("google", sub, email),
        },
      }),
    },
    plugins: [
      emailOTP({
        otpLength: CODE_LENGTH,
        expiresIn: CODE_TTL_MINUTES * 60,
        allowedAttempts: CODE_TRIES,
        // Never `disableSignUp`: an e-mail without an account would then get another answer once its code is spent or
        // expired, after another number of queries. The mailer and the hook below refuse unknown e-mails instead.
        storeOTP: { hash: (code) => keys.mac("code", code) },
        sendVerificationOTP: ({ email, otp }) => sendCode(options, email, otp),
        rateLimit: { window: 60, max: 20 },
      }),
      ...(turnstile
        ? [
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
          ]
        : []),
      admin({
        ac: accessControl,
        roles,
        defaultRole: DEFAULT_ROLE,
        adminRoles: ["admin"],
        // Not for its text, which is never shown: better-auth tells only here which user was refused.
        bannedUserMessage(user: { banReason?: string | null; banExpires?: Date | null }) {
          currentScope().ban = { reason: user.banReason ?? null, until: user.banExpires ?? null };
          return "BANNED_USER";
        },
      }),
      ...(social.oidc
        ? [
            genericOAuth({
              config: [
                {
                  ...social.oidc,
                  providerId: OIDC_PROVIDER,
                  scopes: ["openid", "email", "profile"],
                  pkce: true,
                  requireIdTokenVerification: true,
                  mapProfileToUser: ({ sub, email }) => keepIdentity(OIDC_PROVIDER, sub, email),
                },
              ],
            }),
          ]
        : []),
      passkeys({ db, baseUrl }),
      codeGuard(options),
      signInWatch(options.adminEmails),
    ],
    databaseHooks: {
      ...signUpHooks({ db, keys, canSignUp }),
      session: {
        create: {
          async before(session) {
            const scope = currentScope();
            const { request, signInCall } = scope;
            if (!signInCall) throw new Error("A session was made outside a call that signs in");
            scope.isSignIn = !session.impersonatedBy;
            keepBackPromotion(options, signInCall, session.userId);
            if (!scope.isSignUp) {
              keepBack(signInCall, seenNow(signInCall, session.userId, request.now()));
            }
            // better-auth takes the IP address from the header that its limits read.
            const ipAddress = request.clientIpAddress ? session.ipAddress : null;
            const place = request.location ?? null;
            return { data: { place, ipAddress, lastSeenAt: request.now() } };
          },
        },
      },
    },
  });
}

/** Makes a user whose e-mail is in `ADMIN_EMAILS` an admin, in the last batch of the sign-in. */
function keepBackPromotion({ db, adminEmails }: AuthOptions, call: SignInCall, userId: string) {
  const email = call.people.get(userId)?.email;
  // For a user that was not read ahead, the statements check the e-mail themselves.
  const mayBeListed = email ? adminEmails.includes(email) : adminEmails.length > 0;
  if (!mayBeListed) return;
  for (const statement of promotion(db, currentScope().request, userId, adminEmails)) {
    keepBack(call, statement);
  }
}

/** Statement that sets when a user was last seen; otherwise the user's first page would write it. */
function seenNow({ db }: SignInCall, userId: string, lastSeenAt: Date) {
  return db.update(schema.user).set({ lastSeenAt }).where(eq(schema.user.id, userId));
}

function keepCaught(details: unknown[]): void {
  const scope = gatewayScope.getStore();
  if (scope) scope.caught ??= details.find((detail) => detail instanceof Error);
}

async function sendCode(
  { mailer, baseUrl, canSignUp }: AuthOptions,
  email: string,
  code: string,
): Promise<void> {
  const scope = currentScope();
  const { request, signInCall, language, redirect } = scope;
  if (!signInCall) throw new Error("A code was asked for outside a call about a code");
  const now = request.now();
  const search = new URLSearchParams({ email });
  if (redirect) search.set("redirect", redirect);
  const mail = {
    recipient: email,
    language,
    expiresAt: new Date(now.getTime() + CODE_TTL_MINUTES * 60_000),
    message: {
      kind: "login-code",
      code,
      link: `${baseUrl}/login/verify?${search}#code=${code}`,
      validMinutes: CODE_TTL_MINUTES,
    },
  } as const;
  const audience = canSignUp(email) ? "anyone" : "account";
  const { statement, send } = await mailer.prepare(mail, now, audience).catch((error) => {
    // better-auth answers success when a sender throws, so the gateway reads this instead.
    scope.mailError = error;
    throw error;
  });
  keepBack(signInCall, statement, (rows) => {
    if (rows.length === 0 && audience === "anyone") {
      throw new Error("The outbox did not answer with the new row");
    }
    request.afterAnswer(() => send(rows));
  });
}
