import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { betterAuth } from "better-auth/minimal";
import { eq, sql } from "drizzle-orm";
import * as schema from "../../../db/schema/schema.ts";
import { ENDPOINT_LIMITS, OTHER_ENDPOINTS, type RateLimit } from "../../../values/rate-limits.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";
import { SESSION_IDLE_DAYS, SESSION_REFRESH_DAYS } from "../sessions/session-limits.ts";
import type { Secrets } from "../sessions/signed-value.ts";
import { codeGuard, type GuardOptions, handedOver } from "../sign-in/code-guard.server.ts";
import { promotion } from "../sign-in/first-admin.server.ts";
import { signInWatch } from "../sign-in/new-device.server.ts";
import { notVerified } from "../sign-in/passkey-call.server.ts";
import type { ProductName } from "../sign-in/passkey-plugin.server.ts";
import { createRateLimitStorage } from "../sign-in/rate-limit.server.ts";
import { currentScope, gatewayScope } from "../sign-in/scope.server.ts";
import { keepBack, type SignInCall } from "../sign-in/sign-in-call.server.ts";
import { withSignInCalls } from "../sign-in/sign-in-call-adapter.server.ts";
import { signUpHooks } from "../sign-in/sign-up.server.ts";
import type { AppleCredentials } from "./apple-secret.server.ts";
import {
  accessRoles,
  betterAuthSecrets,
  captchas,
  oneTimeCodes,
  openIdProviders,
  socialProviders,
} from "./auth-plugins.server.ts";

export const AUTH_BASE_PATH = "/api/auth";

const DAY_SECONDS = 86_400;

const SESSION = {
  expiresIn: SESSION_IDLE_DAYS * DAY_SECONDS,
  updateAge: SESSION_REFRESH_DAYS * DAY_SECONDS,
  // A revoked session must fail on the next request, so no session data is cached in a cookie.
  cookieCache: { enabled: false },
  // The gateway checks how recent the authentication is. better-auth would count from the sign-in and ignore a
  // later re-authentication.
  freshAge: 0,
  additionalFields: {
    place: { type: "string", required: false, input: false },
    activeOrganizationId: { type: "string", required: false, input: false },
    lastSeenAt: { type: "date", required: false, input: false },
  },
} satisfies BetterAuthOptions["session"];

/** Our columns of the table `user`. */
const USER_FIELDS = {
  onboardedAt: { type: "date", required: false, input: false },
  language: { type: "string", required: false, input: false },
  theme: { type: "string", required: false, input: false },
  lastSeenAt: { type: "date", required: false, input: false },
  searchKey: { type: "string", required: false, input: false, returned: false },
  version: { type: "number", required: false, input: false, defaultValue: 1 },
  createdBy: { type: "string", required: false, input: false },
} satisfies NonNullable<BetterAuthOptions["user"]>["additionalFields"];

type Credentials = { clientId: string; clientSecret: string };

export type AuthOptions = GuardOptions & {
  secrets: Secrets;
  adminEmails: string[];
  social: {
    github?: Credentials;
    google?: Credentials;
    microsoft?: Credentials;
    apple?: AppleCredentials;
    oidc?: Credentials & { discoveryUrl: string };
  };
  /** Asks for a captcha before a code is sent. */
  turnstile?: { secretKey: string; verifyUrl?: string };
  /** Plugins that only some calls need. */
  extraPlugins?: BetterAuthPlugin[];
};

export type Auth = ReturnType<typeof createAuth>;

/**
 * Creates better-auth for the calls about passkeys. An isolate loads what checks a passkey with the first of these
 * calls, because its start would take longer with it (decision record 056).
 */
export async function createPasskeyAuth(
  options: AuthOptions & { productName: ProductName },
): Promise<Auth> {
  const { passkeys, passkeyPrompt } = await import("../sign-in/passkey-plugin.server.ts");
  const extraPlugins = [passkeys(options), passkeyPrompt(options.productName)];
  return createAuth({ ...options, extraPlugins });
}

/** Creates better-auth with the product's settings. Only the auth gateway calls it. */
export function createAuth(options: AuthOptions) {
  const { db, keys, baseUrl, isSecure } = options;
  return betterAuth({
    baseURL: baseUrl,
    basePath: AUTH_BASE_PATH,
    ...betterAuthSecrets(options.secrets),
    database: (known: BetterAuthOptions) => {
      const connect = drizzleAdapter(db, { provider: "sqlite", schema, transaction: false });
      return withSignInCalls(connect(known));
    },
    verification: {
      // The cron deletes expired rows; here it would cost a round trip.
      disableCleanup: true,
      storeIdentifier: {
        default: "plain",
        // What stands for a right code has an identifier of its own in each call, so no other call finds it.
        overrides: { "sign-in-otp-": { hash: handedOver } },
      },
    },
    trustedOrigins: [baseUrl],
    telemetry: { enabled: false },
    // The gateway logs without bound parameters; better-auth's own lines contain session tokens when a statement fails.
    // So this writes nothing and only passes on the errors that an endpoint caught.
    logger: { level: "error", log: (_level, _message, ...details) => keepCaught(details) },
    onAPIError: { errorURL: `${baseUrl}/login/error`, throw: true },
    rateLimit: {
      enabled: true,
      ...ruleOf(OTHER_ENDPOINTS),
      customStorage: createRateLimitStorage(db, keys, () => new Date()),
      customRules: Object.fromEntries(
        Object.entries(ENDPOINT_LIMITS).map(([path, limit]) => [path, ruleOf(limit)]),
      ),
    },
    session: SESSION,
    user: { additionalFields: USER_FIELDS },
    account: {
      encryptOAuthTokens: true,
      additionalFields: { email: { type: "string", required: false, input: false } },
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
    socialProviders: socialProviders(options),
    plugins: [
      oneTimeCodes(options),
      ...captchas(options),
      accessRoles(),
      ...openIdProviders(options),
      ...(options.extraPlugins ?? []),
      codeGuard(options),
      signInWatch(options.adminEmails),
    ],
    databaseHooks: { ...signUpHooks(options), session: sessionHooks(options) },
  });
}

/**
 * Adds location, time and the organization that was active last to a new session, and the writes that belong to a
 * sign-in.
 */
function sessionHooks(options: AuthOptions) {
  return {
    create: {
      async before(session) {
        const scope = currentScope();
        const { request, signInCall } = scope;
        if (!signInCall) throw new Error("A session was made outside a call that signs in");
        if (signInCall.confirms) {
          // A call that writes directly would make a session of its own.
          const isTheirs = signInCall.confirms.userId === session.userId && !signInCall.isDirect;
          if (!isTheirs) throw notVerified();
          return;
        }
        scope.isSignIn = !session.impersonatedBy;
        if (scope.linked) keepBack(signInCall, refuseForPasskey(options.db, session.userId));
        keepBackPromotion(options, signInCall, session.userId);
        if (!scope.isSignUp) {
          keepBack(signInCall, seenNow(signInCall, session.userId, request.now()));
        }
        // better-auth takes it from the header that its limits read, where it is a network.
        const ipAddress = request.clientIpAddress ?? null;
        const place = request.location ?? null;
        const activeOrganizationId =
          signInCall.people.get(session.userId)?.lastOrganizationId ?? null;
        return { data: { place, ipAddress, activeOrganizationId, lastSeenAt: request.now() } };
      },
    },
  } satisfies NonNullable<BetterAuthOptions["databaseHooks"]>["session"];
}

/**
 * Statement that refuses a sign-in that links a provider account to a user with a passkey: they link it on the account
 * screen, in a session that the passkey has proven.
 */
function refuseForPasskey(db: AuthOptions["db"], userId: string) {
  const holds = sql`SELECT 'PASSKEY_REQUIRED' WHERE EXISTS (
    SELECT 1 FROM ${schema.passkey} WHERE ${schema.passkey.userId} = ${userId}
  )`;
  return db.insert(schema.batchGuard).select(holds);
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

/** Returns a limit as better-auth takes it, in seconds. */
function ruleOf({ windowMs, max }: RateLimit) {
  return { window: windowMs / 1_000, max };
}

function keepCaught(details: unknown[]): void {
  const scope = gatewayScope.getStore();
  if (scope) scope.caught ??= details.find((detail) => detail instanceof Error);
}
