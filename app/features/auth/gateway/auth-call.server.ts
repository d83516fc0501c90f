import { isUnavailable } from "../../../db/bounded-d1.server.ts";
import { isDatabaseError, isRuleViolation, isUniqueViolation } from "../../../db/db.server.ts";
import { findCookie } from "../../../http/cookies.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { deviceCookieName } from "../sessions/device.server.ts";
import { renewSignatures, type Secrets } from "../sessions/signed-value.ts";
import {
  findCodeAsker,
  type GuardOptions,
  needsCaptcha,
  openCodeRequest,
  SEND_CODE_PATH,
} from "../sign-in/code-guard.server.ts";
import { newFirstBatch } from "../sign-in/first-batch.server.ts";
import {
  openConfirmation,
  openPasskeySignIn,
  PASSKEY_PATHS,
} from "../sign-in/passkey-call.server.ts";
import { openProviderReturn } from "../sign-in/provider-call.server.ts";
import {
  type Confirmation,
  type GatewayScope,
  gatewayScope,
  type SignedIn,
} from "../sign-in/scope.server.ts";
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
  /** better-auth with the plugins of a feature, which are loaded on first use; undefined without them. */
  loadPluginAuth: (() => Promise<Auth>) | undefined;
  /** better-auth with the OpenID provider, whose discovery document is fetched on first use. */
  oidcAuth: (() => Auth) | undefined;
};

/** A call to better-auth. */
export type Sent = {
  method: "GET" | "POST";
  body: Record<string, unknown>;
  redirect: string | undefined;
  about: About;
};

/** What a call to better-auth is about. */
type About =
  | { type: "code-request"; email: string }
  | { type: "passkey"; credentialId: string }
  | { type: "confirmation"; credentialId: string; confirms: Confirmation["confirms"] }
  | { type: "to-provider"; provider: string }
  | { type: "from-provider"; provider: string; state: string }
  | { type: "other" };

/** better-auth's answer, and what its callbacks stored meanwhile. */
type Answered = { answer: Response | GatewayRefusal; scope: GatewayScope };

type RecordSignIn = (scope: GatewayScope, signedIn: SignedIn) => Promise<SignedIn>;

/** Sends a call to the better-auth that has the plugin for it. */
type Ask = (
  send: (auth: Auth) => Promise<Response>,
  requestId: string,
) => Promise<Response | GatewayRefusal>;

/** The options with the parts that are built once. */
type Parts = AuthCallOptions & {
  recordSignIn: RecordSignIn;
  askOidc: Ask;
  askPasskeys: Ask;
  askCaptcha: Ask | undefined;
};

/** Calls better-auth with real requests, because its limits, captcha and origin check are in its HTTP router. */
export function createAuthCalls(options: AuthCallOptions, recordSignIn: RecordSignIn) {
  const askOidc = createOidcCalls(options.oidcAuth);
  const askPasskeys = createLazyCalls(options.loadPasskeyAuth);
  const { captchaAuth } = options;
  const askCaptcha = captchaAuth && createLazyCalls(async () => captchaAuth());
  const parts = { ...options, recordSignIn, askOidc, askPasskeys, askCaptcha };
  return { callAuth: callAuth.bind(undefined, parts) };
}

/**
 * Calls one path of better-auth. It adds these error codes to better-auth's own: CONFLICT, BANNED_USER,
 * EMAIL_NOT_VERIFIED, TOO_MANY_PASSKEYS and AUTHENTICATION_FAILED from rules of the database; DATABASE_UNAVAILABLE when
 * it does not answer; MAIL_NOT_SENT and MAIL_QUOTA_REACHED for a code; PROVIDER_NOT_FOUND; SERVICE_UNAVAILABLE when a
 * call with a provider fails; else UNKNOWN_ERROR. It logs unexpected errors without parameters.
 */
async function callAuth(
  parts: Parts,
  call: GatewayCall,
  path: string,
  sent: Sent,
): Promise<Answered> {
  const { info } = call;
  const scope = newScope(parts, call, { subject: { type: "other" }, redirect: sent.redirect });
  const request = new Request(`${parts.baseUrl}${AUTH_BASE_PATH}${path}`, {
    method: sent.method,
    headers: await headersFor(call, parts),
    body: sent.method === "POST" ? JSON.stringify(sent.body) : undefined,
    redirect: "manual",
  });
  try {
    const ask = await openCall(parts, call, scope, path, sent.about);
    const send = (auth: Auth) => gatewayScope.run(scope, () => auth.handler(request));
    const answer = await ask(send, info.id);
    if (!(answer instanceof Response)) return { answer, scope };
    // The passkey plugin answers a database error like a wrong passkey, or with a 500.
    if (!answer.ok && isDatabaseError(scope.caught)) throw scope.caught;
    const { status } = answer;
    if (status >= 500 && !isWrongPasskey(path, status)) {
      log("error", "auth.failed", { request: info.id, path: request.url.split("?")[0], status });
    }
    const { subject } = scope;
    if ("signedIn" in subject && subject.signedIn) {
      subject.signedIn = await parts.recordSignIn(scope, subject.signedIn);
    }
    const isPaused = subject.type === "code-request" && subject.isPaused;
    return { answer: isPaused ? refusal(503, "MAIL_QUOTA_REACHED") : answer, scope };
  } catch (error) {
    const refused = refusalOfDatabase(error, info.id, path);
    if (refused) return { answer: refused, scope };
    if (path === SEND_CODE_PATH && isDatabaseError(error)) {
      log("error", "mail.not_queued", { request: info.id, ...describeError(error) });
      return { answer: refusal(503, "MAIL_NOT_SENT"), scope };
    }
    log("error", "auth.failed", { request: info.id, ...describeError(error) });
    const answer =
      "provider" in sent.about
        ? refusal(503, "SERVICE_UNAVAILABLE")
        : refusal(500, "UNKNOWN_ERROR");
    return { answer, scope };
  }
}

/** Makes what better-auth's hooks find of a call. */
export function newScope(
  { isSecure }: Pick<AuthCallOptions, "isSecure">,
  { request, info, language }: GatewayCall,
  { subject, redirect }: Pick<GatewayScope, "subject" | "redirect">,
): GatewayScope {
  return {
    request: info,
    language,
    redirect,
    deviceCookie: findCookie(request, deviceCookieName(isSecure)),
    subject,
    first: newFirstBatch(),
    rows: { known: [] },
    caught: undefined,
  };
}

/** Says what the call is about, prepares its first batch, and returns the function that sends it. */
async function openCall(
  parts: Parts,
  { request }: GatewayCall,
  scope: GatewayScope,
  path: string,
  about: About,
): Promise<Ask> {
  const { db, isSecure, auth, askOidc, askPasskeys, askCaptcha } = parts;
  const askOthers: Ask = (send) => send(auth);
  switch (about.type) {
    case "code-request": {
      const asker = await findCodeAsker(parts, scope, request, about.email);
      scope.first.isCountAlone = askCaptcha !== undefined && (await needsCaptcha(parts, asker));
      const captcha = scope.first.isCountAlone ? "asked" : askCaptcha ? "not asked" : "none";
      scope.subject = await openCodeRequest(parts, scope, about.email, { asker, captcha });
      return askCaptcha && scope.first.isCountAlone ? askCaptcha : askOthers;
    }
    case "passkey":
      scope.subject = openPasskeySignIn(db, scope, { request, isSecure }, about.credentialId);
      return askPasskeys;
    case "confirmation":
      scope.subject = openConfirmation(db, scope, { request, isSecure }, about);
      return askPasskeys;
    case "from-provider":
      scope.subject = openProviderReturn(db, scope, about.state);
      return about.provider === OIDC_PROVIDER ? askOidc : askOthers;
    case "to-provider":
      return about.provider === OIDC_PROVIDER ? askOidc : askOthers;
    case "other":
      return path.startsWith(PASSKEY_PATHS) ? askPasskeys : askOthers;
  }
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

/** Returns the headers of the browser that better-auth reads. */
export async function headersFor(
  { request, info, captchaToken }: GatewayCall,
  { baseUrl, secrets }: Pick<AuthCallOptions, "baseUrl" | "secrets">,
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
 * Returns the refusal for an error of the database's rules, or of a database that does not answer,
 * which is logged; undefined for any other error.
 */
export function refusalOfDatabase(
  error: unknown,
  requestId: string,
  path: string,
): GatewayRefusal | undefined {
  if (isUniqueViolation(error)) return refusal(409, "CONFLICT");
  // Banned between better-auth's check and the new session.
  if (isRuleViolation(error, "BANNED_USER")) return refusal(403, "BANNED_USER");
  if (isRuleViolation(error, "EMAIL_NOT_VERIFIED")) return refusal(403, "EMAIL_NOT_VERIFIED");
  if (isRuleViolation(error, "PASSKEY_LIMIT")) return refusal(409, "TOO_MANY_PASSKEYS");
  if (isRuleViolation(error, "PASSKEY_COUNTER")) return refusal(401, "AUTHENTICATION_FAILED");
  // The passkey was removed between better-auth's check and the new session.
  if (isRuleViolation(error, "PASSKEY_REMOVED")) return refusal(401, "AUTHENTICATION_FAILED");
  if (!isUnavailable(error)) return undefined;
  log("error", "database.unavailable", { request: requestId, path, ...describeError(error) });
  return refusal(503, "DATABASE_UNAVAILABLE");
}
