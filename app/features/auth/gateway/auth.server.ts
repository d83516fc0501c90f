import type { BetterAuthOptions } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import { ruleOf } from "../../../db/counted-request.ts";
import type { Db } from "../../../db/db.server.ts";
import * as schema from "../../../db/schema/schema.ts";
import { ENDPOINT_LIMITS, OTHER_ENDPOINTS } from "../../../values/rate-limits.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";
import { SESSION_IDLE_DAYS, SESSION_REFRESH_DAYS } from "../sessions/session-limits.ts";
import { codeGuard } from "../sign-in/code-guard.server.ts";
import { codeSession } from "../sign-in/code-session.server.ts";
import { signInWatch } from "../sign-in/new-device.server.ts";
import { notVerified } from "../sign-in/passkey-call.server.ts";
import type { ProductName } from "../sign-in/passkey-plugin.server.ts";
import { createRateLimitStorage } from "../sign-in/rate-limit.server.ts";
import { withRowsAhead } from "../sign-in/rows-ahead.server.ts";
import {
  type Confirmation,
  currentScope,
  gatewayScope,
  signInOf,
} from "../sign-in/scope.server.ts";
import { withSessionOnce } from "../sign-in/session-once.server.ts";
import { recordConfirmation } from "../sign-in/sign-in-record.server.ts";
import { signUpHooks } from "../sign-in/sign-up.server.ts";
import {
  type AuthOptions,
  accessRoles,
  betterAuthSecrets,
  captchas,
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
    passkeyProvedAt: { type: "date", required: false, input: false, returned: false },
    passkeyProvedBy: { type: "string", required: false, input: false, returned: false },
    provedBy: { type: "string", required: false, input: false, returned: false },
  },
} satisfies BetterAuthOptions["session"];

const USER_FIELDS = {
  onboardedAt: { type: "date", required: false, input: false },
  language: { type: "string", required: false, input: false },
  theme: { type: "string", required: false, input: false },
  lastSeenAt: { type: "date", required: false, input: false },
  searchKey: { type: "string", required: false, input: false, returned: false },
  deletionDueAt: { type: "date", required: false, input: false },
  version: { type: "number", required: false, input: false, defaultValue: 1 },
  createdBy: { type: "string", required: false, input: false },
  entryLink: { type: "string", required: false, input: false, returned: false },
} satisfies NonNullable<BetterAuthOptions["user"]>["additionalFields"];

/** What a session holds of how its user signed in. */
const PROOFS = { "code-entry": "code", passkey: "passkey", provider: "provider" } as const;

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
      const tables = { ...schema, ...options.extraTables };
      const connect = drizzleAdapter(db, {
        provider: "sqlite",
        schema: tables,
        transaction: false,
      });
      const { adapt = (adapter) => adapter } = options;
      return withRowsAhead(
        adapt(withSessionOnce(connect(known))),
        known,
        () => gatewayScope.getStore()?.rows,
      );
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
      ...captchas(options),
      accessRoles(),
      ...openIdProviders(options),
      ...(options.extraPlugins ?? []),
      codeGuard(options),
      codeSession,
      signInWatch(options.adminEmails),
    ],
    databaseHooks: { ...signUpHooks(options), session: sessionHooks(options) },
  });
}

/**
 * Adds location, time, passkey and the organization that was active last to a new session. Triggers
 * refuse a session of a banned user, of an unproven e-mail and by a removed passkey, and write its
 * audit row, because better-auth inserts it.
 */
function sessionHooks({ db }: AuthOptions) {
  return {
    create: {
      async before(session) {
        const scope = currentScope();
        const { request, subject } = scope;
        if (subject.type === "confirmation") return confirmInstead(db, subject, session.userId);
        const signIn = signInOf(scope);
        if (!signIn) throw new Error("A session was made outside a call that signs in");
        const used = signIn.type === "passkey" ? signIn : undefined;
        const now = request.now();
        const person = signIn.people.find(({ id }) => id === session.userId);
        return {
          data: {
            place: request.location ?? null,
            // better-auth takes it from the header that its limits read, where it is a network.
            ipAddress: request.clientIpAddress ?? null,
            activeOrganizationId: person?.lastOrganizationId ?? null,
            lastSeenAt: now,
            passkeyProvedAt: used ? now : null,
            passkeyProvedBy: used?.id ?? null,
            provedBy: PROOFS[signIn.type],
          },
        };
      },
    },
  } satisfies NonNullable<BetterAuthOptions["databaseHooks"]>["session"];
}

/** Proves a session by a passkey of its user, in place of a new session. Always throws, so that none is made. */
async function confirmInstead(db: Db, use: Confirmation, ownerId: string): Promise<never> {
  const isTheirs = use.confirms.userId === ownerId;
  if (!isTheirs || !(await recordConfirmation(db, currentScope(), use))) throw notVerified();
  use.isConfirmed = true;
  throw new APIError("CONFLICT", { code: "SESSION_CONFIRMED", message: "No session was made" });
}

function keepCaught(details: unknown[]): void {
  const scope = gatewayScope.getStore();
  if (scope) scope.caught ??= details.find((detail) => detail instanceof Error);
}
