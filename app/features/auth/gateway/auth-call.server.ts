import { isDatabaseError, isRuleViolation, isUniqueViolation } from "../../../db/db.server.ts";
import { findCookie } from "../../../http/cookies.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { deviceCookieName } from "../sessions/device.server.ts";
import { renewSignatures, type Secrets } from "../sessions/signed-value.ts";
import {
  type GuardOptions,
  isCodePath,
  needsCaptcha,
  openCodeCall,
  readSignIn,
  SEND_CODE_PATH,
  SIGN_IN_PATH,
} from "../sign-in/code-guard.server.ts";
import {
  openPasskeyCall,
  PASSKEY_PATHS,
  PASSKEY_SIGN_IN_PATH,
} from "../sign-in/passkey-call.server.ts";
import { openProviderCall } from "../sign-in/provider-call.server.ts";
import { type GatewayScope, gatewayScope } from "../sign-in/scope.server.ts";
import { endSignInCall } from "../sign-in/sign-in-call.server.ts";
import { AUTH_BASE_PATH, type Auth } from "./auth.server.ts";
import { isWrongPasskey } from "./auth-answer.ts";
import { OIDC_PROVIDER } from "./auth-plugins.server.ts";
import { type GatewayCall, type GatewayRefusal, refusal } from "./gateway-call.ts";

const PROVIDER_TIMEOUT_MS = 10_000;

export type AuthCallOptions = GuardOptions & {
  secrets: Secrets;
  auth: Auth;
  /** better-auth that asks for a captcha before a code is sent; undefined when none is configured. */
  captchaAuth: (() => Auth) | undefined;
  /** better-auth with passkeys, which is loaded on first use. */
  loadPasskeyAuth: () => Promise<Auth>;
  /** better-auth with the OpenID provider, whose discovery document is fetched on first use. */
  oidcAuth: (() => Auth) | undefined;
};

/** A call to better-auth. */
export type Sent = {
  method: "GET" | "POST";
  body?: Record<string, unknown>;
  /** Page to open after the sign-in. */
  redirect?: string;
  /** The identity provider that takes part. */
  provider?: string;
  /** The session that a passkey proves. */
  confirms?: { sessionId: string; userId: string };
  /** The state in a provider's redirect. */
  state?: string;
};

/** better-auth's answer, and what its callbacks stored meanwhile. */
type Answered = { answer: Response | GatewayRefusal; scope: GatewayScope };

/** Adds our own writes for a sign-in to the batch with better-auth's writes. */
type AddWrites = (call: GatewayCall, scope: GatewayScope) => Promise<void>;

/** Sends a call to the better-auth that has the plugin for it. */
type Ask = (
  send: (auth: Auth) => Promise<Response>,
  requestId: string,
) => Promise<Response | GatewayRefusal>;

/** The options with the parts that are built once. */
type Parts = AuthCallOptions & {
  addWrites: AddWrites;
  askOidc: Ask;
  askPasskeys: Ask;
  askCaptcha: Ask | undefined;
};

/** Calls better-auth with real requests, because its limits, captcha and origin check are in its HTTP router. */
export function createAuthCalls(options: AuthCallOptions, addWrites: AddWrites) {
  const askOidc = createOidcCalls(options.oidcAuth);
  const askPasskeys = createLazyCalls(options.loadPasskeyAuth);
  const { captchaAuth } = options;
  const askCaptcha = captchaAuth && createLazyCalls(async () => captchaAuth());
  const parts = { ...options, addWrites, askOidc, askPasskeys, askCaptcha };
  return { callAuth: callAuth.bind(undefined, parts) };
}

/**
 * Calls one path of better-auth. It adds these error codes to better-auth's own: `codeForSpent` for a proof that another
 * call has used; CONFLICT, BANNED_USER, EMAIL_NOT_VERIFIED, TOO_MANY_PASSKEYS and AUTHENTICATION_FAILED from rules of the
 * database; PROVIDER_NOT_FOUND; SERVICE_UNAVAILABLE when a call with a provider fails; else UNKNOWN_ERROR. It logs
 * unexpected errors without parameters.
 */
async function callAuth(
  parts: Parts,
  call: GatewayCall,
  path: string,
  sent: Sent,
): Promise<Answered> {
  const { baseUrl, isSecure } = parts;
  const { info, language } = call;
  const scope: GatewayScope = {
    request: info,
    language,
    redirect: sent.redirect,
    deviceCookie: findCookie(call.request, deviceCookieName(isSecure)),
  };
  const request = new Request(`${baseUrl}${AUTH_BASE_PATH}${path}`, {
    method: sent.method,
    headers: await headersFor(call, parts),
    body: sent.method === "POST" ? JSON.stringify(sent.body) : undefined,
    redirect: "manual",
  });
  try {
    await openCall(parts, call, scope, path, sent);
    const send = (auth: Auth) => gatewayScope.run(scope, () => auth.handler(request));
    const ask = await askerOf(parts, path, sent, scope);
    const answer = await ask(send, info.id);
    if (!(answer instanceof Response)) return { answer, scope };
    // The passkey plugin answers a database error like a wrong passkey, or with a 500.
    if (!answer.ok && isDatabaseError(scope.caught)) throw scope.caught;
    const { status } = answer;
    if (status >= 500 && !isWrongPasskey(path, status)) {
      log("error", "auth.failed", { request: info.id, path: request.url.split("?")[0], status });
    }
    if (scope.signInCall && !scope.mailError) {
      await parts.addWrites(call, scope);
      await endSignInCall(scope.signInCall);
    }
    return { answer, scope };
  } catch (error) {
    if (isRuleViolation(error, "PROOF_SPENT")) {
      return { answer: refusal(400, codeForSpent(path)), scope };
    }
    const refused = refusalOfDatabase(error);
    if (refused) return { answer: refused, scope };
    log("error", "auth.failed", { request: info.id, ...describeError(error) });
    const answer = sent.provider
      ? refusal(503, "SERVICE_UNAVAILABLE")
      : refusal(500, "UNKNOWN_ERROR");
    return { answer, scope };
  }
}

/** Opens a call that signs in or sends a sign-in code. Other calls use the database directly. */
async function openCall(
  options: AuthCallOptions,
  { request }: GatewayCall,
  scope: GatewayScope,
  path: string,
  { body, state, confirms }: Sent,
): Promise<void> {
  const { db, isSecure } = options;
  if (isCodePath(path) && typeof body?.email === "string") {
    scope.codeCall = await openCodeCall(options, scope, request, body.email);
    if (path === SIGN_IN_PATH) await readSignIn(options, scope, body.email);
  } else if (path === PASSKEY_SIGN_IN_PATH) {
    const { id }: { id?: unknown } = Object(body?.response);
    scope.signInCall = openPasskeyCall(db, { request, isSecure }, String(id));
    if (scope.signInCall) scope.signInCall.confirms = confirms;
  } else if (state) {
    scope.signInCall = openProviderCall(db, state);
  }
}

/** Returns the function that sends a call with this path. */
async function askerOf(
  parts: Parts,
  path: string,
  { provider }: Sent,
  { codeCall }: GatewayScope,
): Promise<Ask> {
  const { auth, askOidc, askPasskeys, askCaptcha } = parts;
  if (provider === OIDC_PROVIDER) return askOidc;
  if (path.startsWith(PASSKEY_PATHS)) return askPasskeys;
  if (path === SEND_CODE_PATH && askCaptcha && codeCall && (await needsCaptcha(parts, codeCall))) {
    return askCaptcha;
  }
  return (send) => send(auth);
}

/** Returns a function that sends calls to a better-auth with a further plugin, which it loads once. */
function createLazyCalls(load: () => Promise<Auth>): Ask {
  let auth: Auth | undefined;
  return async (send) => {
    auth ??= await load();
    return send(auth);
  };
}

/**
 * Returns a function that asks the better-auth with the OpenID provider. It keeps that better-auth until its discovery
 * fails or hangs; the next call builds another.
 */
function createOidcCalls(build: AuthCallOptions["oidcAuth"]): Ask {
  let oidcAuth: Auth | undefined;
  return async function askOidc(send, requestId) {
    oidcAuth ??= build?.();
    if (!oidcAuth) return refusal(404, "PROVIDER_NOT_FOUND");
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        oidcAuth = undefined;
        reject(new Error("The identity provider did not answer in time"));
      }, PROVIDER_TIMEOUT_MS);
    });
    const response = await Promise.race([send(oidcAuth), timeout]).finally(() =>
      clearTimeout(timer),
    );
    if (response.status !== 404) return response;
    // Its discovery failed, so it was built without the provider.
    oidcAuth = undefined;
    log("error", "auth.provider_unavailable", { request: requestId, provider: OIDC_PROVIDER });
    return refusal(503, "SERVICE_UNAVAILABLE");
  };
}

async function headersFor(
  { request, info, captchaToken }: GatewayCall,
  { baseUrl, secrets }: AuthCallOptions,
): Promise<Headers> {
  const headers = new Headers({ "Content-Type": "application/json", Origin: baseUrl });
  const cookie = request.headers.get("cookie");
  if (cookie) headers.set("cookie", await renewSignatures(cookie, secrets));
  const captcha = request.headers.get("x-captcha-response");
  if (captcha) headers.set("x-captcha-response", captcha);
  if (captchaToken) headers.set("x-captcha-response", captchaToken);
  if (info.userAgent) headers.set("user-agent", info.userAgent);
  if (info.limitedIpAddress) headers.set("cf-connecting-ip", info.limitedIpAddress);
  return headers;
}

/**
 * Returns the error code for a proof that a simultaneous call has used up: the same as if this call had come a moment
 * later.
 */
function codeForSpent(path: string): ErrorCode {
  if (isCodePath(path)) return "INVALID_OTP";
  return path === PASSKEY_SIGN_IN_PATH ? "CHALLENGE_NOT_FOUND" : "UNKNOWN_ERROR";
}

/** Returns the refusal for an error of the database's rules; undefined for any other error. */
function refusalOfDatabase(error: unknown): GatewayRefusal | undefined {
  if (isUniqueViolation(error)) return refusal(409, "CONFLICT");
  // Banned between better-auth's check and the new session.
  if (isRuleViolation(error, "BANNED_USER")) return refusal(403, "BANNED_USER");
  if (isRuleViolation(error, "EMAIL_NOT_VERIFIED")) return refusal(403, "EMAIL_NOT_VERIFIED");
  if (isRuleViolation(error, "PASSKEY_LIMIT")) return refusal(409, "TOO_MANY_PASSKEYS");
  if (isRuleViolation(error, "PASSKEY_REQUIRED")) return refusal(403, "PASSKEY_REQUIRED");
  if (isRuleViolation(error, "PASSKEY_COUNTER")) return refusal(401, "AUTHENTICATION_FAILED");
  return undefined;
}
