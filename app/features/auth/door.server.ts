import { href } from "react-router";
import { z } from "zod";
import type { Db } from "../../db/db.server.ts";
import { isDatabaseError, isRuleViolation, isUniqueViolation } from "../../db/db.server.ts";
import { findCookie, serializeCookie } from "../../http/cookies.ts";
import { Email } from "../../http/email.ts";
import { readJson } from "../../http/json.ts";
import type { RequestInfo } from "../../http/request-context.ts";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { redirectWithToast } from "../../http/toast.ts";
import type { Language } from "../../i18n/languages.ts";
import type { Keys } from "../../keys.server.ts";
import { describeError, log } from "../../log.ts";
import { can } from "../access/permissions.ts";
import type { AuditAction } from "../audit/actions.ts";
import { auditEventStatement } from "../audit/audit.server.ts";
import type { Mailer } from "../mail/outbox.server.ts";
import type { CodeAsker, CodeRefusal } from "./account-codes.server.ts";
import { AUTH_BASE_PATH, type Auth, OIDC_PROVIDER } from "./auth.server.ts";
import {
  BAN_NOTICE_MAX_AGE_SECONDS,
  banNoticeCookieName,
  sealBanNotice,
} from "./ban-notice.server.ts";
import { CODE_TRIES } from "./code.ts";
import { deviceCookieName } from "./device.server.ts";
import { stopImpersonation } from "./impersonation.server.ts";
import { Code, PasskeyAssertion, PasskeyRegistration } from "./input.ts";
import { linkMessageFor } from "./link-message.ts";
import { createDevices } from "./new-device.server.ts";
import { type DoorScope, doorScope } from "./scope.server.ts";
import { type CurrentSession, clearSessionCookie, isFresh } from "./session.server.ts";

/** Marks the way back from a provider as that of an account to be linked. */
const LINKING = "linking";
const PROVIDER_TIMEOUT_MS = 10_000;

const Credentials = z.object({ email: Email, otp: Code });
const CodeRequest = z.object({
  email: Email,
  type: z.literal("sign-in").default("sign-in"),
  redirect: z.unknown().transform(safeRedirect).optional(),
});
const SocialSignIn = z.object({
  provider: z.string().max(50),
  callbackURL: z.unknown().transform(safeRedirect).optional(),
});
/** Where somebody comes back to is ours to say. */
const SocialLink = z.object({
  provider: z.string().max(50),
  area: z.enum(["app", "manager"]).default("app"),
});
const Deletion = z.object({ otp: Code.optional() });
const Empty = z.unknown().transform(() => ({}));

const SESSION_PATH = "/get-session";
const SIGN_OUT_PATH = "/sign-out";
const LIST_USERS_PATH = "/admin/list-users";
export const STOP_IMPERSONATING_PATH = "/admin/stop-impersonating";

/** What may be called, and with which body. Whatever is not here answers 404: the product does not offer it. */
const ENDPOINTS: Record<string, Endpoint | undefined> = {
  [SESSION_PATH]: { method: "GET" },
  [SIGN_OUT_PATH]: { method: "POST", body: Empty, audit: "user.signed_out" },
  "/revoke-sessions": {
    method: "POST",
    body: Empty,
    needsSession: true,
    audit: "session.revoked_all",
  },
  "/revoke-other-sessions": {
    method: "POST",
    body: Empty,
    needsSession: true,
    audit: "session.revoked_others",
  },
  "/delete-user": { method: "POST", body: Deletion, needsSession: true },
  "/email-otp/send-verification-otp": { method: "POST", body: CodeRequest },
  "/sign-in/email-otp": { method: "POST", body: Credentials },
  "/sign-in/social": { method: "POST", body: SocialSignIn },
  "/link-social": { method: "POST", body: SocialLink, needsSession: true, needsFresh: true },
  [LIST_USERS_PATH]: { method: "GET" },
  [STOP_IMPERSONATING_PATH]: { method: "POST", body: Empty },
  "/passkey/generate-authenticate-options": {
    method: "GET",
    body: Empty,
    // The plugin would do with a passkey that nobody unlocked; what comes of that is refused.
    answer: (options) => ({ ...options, userVerification: "required" }),
  },
  "/passkey/verify-authentication": {
    method: "POST",
    body: PasskeyAssertion,
    answer: () => ({}),
  },
  "/passkey/generate-register-options": {
    method: "GET",
    body: Empty,
    needsSession: true,
    needsFresh: true,
  },
  "/passkey/verify-registration": {
    method: "POST",
    body: PasskeyRegistration,
    needsSession: true,
    needsFresh: true,
    answer: ({ id }) => ({ id }),
  },
};

type Endpoint = {
  method: "GET" | "POST";
  body?: z.ZodType<Record<string, unknown>>;
  /** Answers 401 without a session, and 403 to a manager who acts as the person: their sessions are theirs alone. */
  needsSession?: boolean;
  /** Whether it may be called only shortly after proving to be there. */
  needsFresh?: boolean;
  audit?: AuditAction;
  /** What of better-auth's answer is handed on; all but tokens when not given. */
  answer?: (body: Record<string, unknown>) => Record<string, unknown>;
};

/** Where an identity provider sends the browser back to. */
const CALLBACK = /^\/callback\/(github|google|oidc)$/;

export type DoorOptions = {
  db: Db;
  keys: Keys;
  baseUrl: string;
  isSecure: boolean;
  queueMail: Mailer["queue"];
  /** better-auth without and with the OpenID provider, whose discovery document is fetched when it is first needed. */
  auth: Auth;
  oidcAuth: (() => Auth) | undefined;
  /** What the users screen lists at an address; better-auth's own query answers an empty list when the database is down. */
  listUsers: (url: URL, now: Date) => Promise<Record<string, unknown>>;
  /** Deleting one's account, which is ours from the code to the days of grace. */
  leaving: Leaving;
};

type Leaving = {
  request: (own: OwnRequest) => Promise<{ ok: true } | CodeRefusal>;
  start: (own: OwnRequest, code: string) => Promise<{ ok: true } | CodeRefusal>;
};
type OwnRequest = { current: CurrentSession; asker: CodeAsker; info: RequestInfo };

/** One call through the door. */
export type DoorCall = {
  /** The browser's request: its cookies, address and user agent are what better-auth sees. */
  request: Request;
  info: RequestInfo;
  language: Language;
  current: () => Promise<CurrentSession | undefined>;
  /** What the captcha's widget put into a form; a call to the API brings it as `X-Captcha-Response`. */
  captchaToken?: string;
};

export type Door = ReturnType<typeof createDoor>;

export type DoorResult =
  | { ok: true; headers: Headers; body: Record<string, unknown> }
  | { ok: false; status: number; code: string; retryAfterSeconds?: number; headers: Headers };

/**
 * The one way to better-auth, for `/api/auth/*` and for route actions alike. Its limits, captcha and origin check
 * live in its HTTP router, so calls go there as real requests; `auth.api` would skip them.
 */
export function createDoor(options: DoorOptions) {
  const { db, keys, baseUrl, isSecure, leaving } = options;
  const deviceCookie = deviceCookieName(isSecure);
  const devices = createDevices(options);
  let oidcAuth: Auth | undefined;

  /** Answers a request to `/api/auth/*`. Error answers are `{code}` with the status that fits. */
  async function handle(call: DoorCall): Promise<Response> {
    const url = new URL(call.request.url);
    const path = url.pathname.slice(AUTH_BASE_PATH.length);
    if (CALLBACK.test(path)) return handleCallback(call, path, url.search);
    const endpoint = ENDPOINTS[path];
    if (!endpoint) return failure(404, "NOT_FOUND");
    if (endpoint.method !== call.request.method) {
      return failure(405, "METHOD_NOT_ALLOWED", { Allow: endpoint.method });
    }
    if (path === SESSION_PATH) return Response.json((await call.current()) ?? null);
    if (path === LIST_USERS_PATH) return listUsers(call, url);
    const body =
      endpoint.method === "GET" ? { ok: true as const, value: {} } : await readJson(call.request);
    if (!body.ok) return failure(body.status, body.code);
    const result = await pass(call, path, body.value);
    if (!result.ok) {
      const headers = new Headers(result.headers);
      if (result.retryAfterSeconds) headers.set("Retry-After", String(result.retryAfterSeconds));
      return Response.json({ code: result.code }, { status: result.status, headers });
    }
    return Response.json(result.body, { headers: result.headers });
  }

  /** Calls one endpoint with a body that is not trusted yet, and answers what became of it as a value. */
  async function pass(call: DoorCall, path: string, input: unknown): Promise<DoorResult> {
    const endpoint = ENDPOINTS[path];
    if (!endpoint?.body) throw new Error(`The auth door has no endpoint ${path}`);
    const parsed = endpoint.body.safeParse(input);
    if (!parsed.success) return refusal(400, codeForInvalid(parsed.error));
    const current = endpoint.audit || endpoint.needsSession ? await call.current() : undefined;
    if (endpoint.needsSession && !current) return refusal(401, "UNAUTHORIZED");
    if (endpoint.needsSession && current?.session.impersonatedBy) {
      return refusal(403, "CLOSED_WHILE_IMPERSONATING");
    }
    // Signing out of somebody else's account is no more than leaving it.
    const isLeaving = path === SIGN_OUT_PATH && current?.session.impersonatedBy;
    if (path === STOP_IMPERSONATING_PATH || isLeaving) return stopImpersonating(call);
    if (path === "/delete-user" && current) return deleteUser(call, current, parsed.data.otp);

    if (endpoint.needsFresh && current && !isFresh(current, call.info.now())) {
      return refusal(403, "SESSION_EXPIRED");
    }

    const { redirect, area, ...body } = parsed.data;
    if (path === "/sign-in/social") {
      const next = body.callbackURL;
      // The login screen sends whoever is signed in to where they were going.
      body.callbackURL = `${baseUrl}/login${next ? `?redirect=${encodeURIComponent(String(next))}` : ""}`;
      body.errorCallbackURL = `${baseUrl}/login/error`;
      body.disableRedirect = false;
    }
    if (path === "/link-social") {
      const account = href(area === "manager" ? "/manager/account" : "/app/account");
      body.callbackURL = `${baseUrl}${account}?${LINKING}`;
      body.errorCallbackURL = body.callbackURL;
    }
    const answer = await forward(call, path, {
      method: endpoint.method,
      body,
      redirect: safeRedirect(redirect),
      provider: String(body.provider ?? ""),
    });
    if (!answer.ok) {
      const { status, code } = answer;
      log("warn", "auth.refused", { request: call.info.id, path, status, code });
      return answer;
    }

    if (endpoint.audit && current) {
      await auditEventStatement(db, call.info, {
        action: endpoint.audit,
        actorId: current.user.id,
        impersonatorId: current.session.impersonatedBy,
        target: { type: "user", id: current.user.id },
      });
    }
    log("info", `auth${path.replaceAll("/", ".")}`, {
      request: call.info.id,
      user: current?.user.id,
    });
    return endpoint.answer ? { ...answer, body: endpoint.answer(answer.body) } : answer;
  }

  /** What the users screen shows at the same search params, for those who may see it. */
  async function listUsers(call: DoorCall, url: URL): Promise<Response> {
    try {
      const current = await call.current();
      if (!current) return failure(401, "UNAUTHORIZED");
      if (!current.user.onboardedAt) return failure(403, "NOT_ONBOARDED");
      if (!can(current.user, "user", "list")) {
        return failure(403, "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS");
      }
      return Response.json(await options.listUsers(url, call.info.now()));
    } catch (error) {
      log("error", "auth.failed", { request: call.info.id, ...describeError(error) });
      return failure(500, "UNKNOWN_ERROR");
    }
  }

  /** A client follows the address it is answered, as after every call that leads elsewhere (spec section 7). */
  async function stopImpersonating(call: DoorCall): Promise<DoorResult> {
    const stopped = await stopImpersonation({ db, keys, isSecure }, call);
    if (!stopped.ok) return refusal(stopped.status, stopped.code);
    log("info", "auth.impersonation_stopped", { request: call.info.id });
    return { ok: true, headers: stopped.headers, body: { url: stopped.location, redirect: true } };
  }

  /** Without a code sends one; with it starts the days of grace and signs out. */
  async function deleteUser(
    call: DoorCall,
    current: CurrentSession,
    otp: unknown,
  ): Promise<DoorResult> {
    const { request, info, language } = call;
    const asker = {
      userId: current.user.id,
      sessionId: current.session.id,
      language,
      deviceCookie: findCookie(request, deviceCookie),
    };
    const own = { current, asker, info };
    const isConfirming = typeof otp === "string";
    try {
      const result = await (isConfirming ? leaving.start(own, otp) : leaving.request(own));
      const headers = new Headers();
      if (!result.ok) return { ...result, headers };
      if (!isConfirming) return { ok: true, headers, body: { code: "CODE_SENT" } };
      headers.append("Set-Cookie", clearSessionCookie(isSecure));
      return { ok: true, headers, body: { code: "DELETION_STARTED" } };
    } catch (error) {
      log("error", "auth.failed", { request: info.id, ...describeError(error) });
      return refusal(500, "UNKNOWN_ERROR");
    }
  }

  async function handleCallback(call: DoorCall, path: string, search: string): Promise<Response> {
    if (call.request.method !== "GET") return failure(405, "METHOD_NOT_ALLOWED", { Allow: "GET" });
    const provider = path.slice("/callback/".length);
    const scope: Partial<DoorScope> = {};
    const response = await callAuth(call, path + search, { method: "GET", provider, scope });
    if (response instanceof Response && response.status < 400) {
      log("info", "auth.callback", { request: call.info.id, provider });
      const answer = new Response(response.body, response);
      await addDevice(answer.headers, call, scope);
      await addBanNotice(answer.headers, scope.ban);
      return (await endLinking(call, answer)) ?? answer;
    }
    const ended = await endLinking(call, response);
    if (ended) return ended;
    // A person is looking at this answer, so they get a page.
    return new Response(null, {
      status: 303,
      headers: { Location: `${baseUrl}/login/error?error=unknown_error` },
    });
  }

  /**
   * Where linking an account ends, well or not: on the account screen, with a toast. Whoever is signed in and comes
   * back with a failure that names no way back was linking too. Undefined for a sign-in.
   */
  async function endLinking(
    call: DoorCall,
    answer: Response | { code: string },
  ): Promise<Response | undefined> {
    const headers = answer instanceof Response ? answer.headers : new Headers();
    const target = new URL(headers.get("Location") ?? href("/login/error"), baseUrl);
    const error = answer instanceof Response ? target.searchParams.get("error") : answer.code;
    if (target.searchParams.has(LINKING)) return leave(target.pathname, error);
    if (target.pathname !== href("/login/error")) return undefined;
    const current = await call.current().catch(() => undefined);
    if (!current) return undefined;
    const isManager = can(current.user, "apps", "manager");
    return leave(href(isManager ? "/manager/account" : "/app/account"), error ?? "UNKNOWN_ERROR");

    function leave(account: string, code: string | null) {
      const cookies = answer instanceof Response ? cookiesOf(answer) : new Headers();
      if (code === null) log("info", "auth.linked", { request: call.info.id });
      return redirectWithToast(
        account,
        code === null
          ? { kind: "success", message: "account:linked.done" }
          : { kind: "error", message: linkMessageFor(code) },
        cookies,
      );
    }
  }

  async function forward(
    call: DoorCall,
    path: string,
    {
      method,
      body,
      redirect,
      provider,
    }: {
      method: Endpoint["method"];
      body: Record<string, unknown>;
      redirect: string | undefined;
      provider: string;
    },
  ): Promise<DoorResult> {
    const scope: Partial<DoorScope> = { redirect };
    const response = await callAuth(call, path, {
      method,
      body: method === "POST" ? JSON.stringify(body) : undefined,
      provider,
      scope,
    });
    if (!(response instanceof Response)) return refusal(response.status, response.code);
    if (scope.mailError) {
      log("error", "mail.not_queued", { request: call.info.id, ...describeError(scope.mailError) });
      return refusal(503, "MAIL_NOT_SENT");
    }
    const answer = await readAnswer(response);
    const headers = cookiesOf(response);
    if (response.ok) {
      await addDevice(headers, call, scope);
      return { ok: true, headers, body: withoutTokens(answer) };
    }
    await addBanNotice(headers, scope.ban);
    return {
      ok: false,
      headers,
      status: statusOf(response, path, answer),
      // better-auth says so from the fourth try on; the third wrong one has already used the code up.
      code:
        (scope.wrongTries ?? 0) >= CODE_TRIES
          ? "TOO_MANY_ATTEMPTS"
          : codeOf(response, path, answer),
      retryAfterSeconds:
        Number(response.headers.get("Retry-After") ?? response.headers.get("X-Retry-After")) ||
        undefined,
    };
  }

  /** The call itself. A failure that better-auth did not foresee is logged without parameters and answered by code. */
  async function callAuth(
    call: DoorCall,
    pathAndSearch: string,
    init: {
      method: "GET" | "POST";
      body?: string;
      provider: string;
      /** Filled by better-auth's callbacks while the call runs. */
      scope: Partial<DoorScope>;
    },
  ): Promise<Response | { status: number; code: string }> {
    const { info, language } = call;
    const scope = Object.assign(init.scope, {
      request: info,
      language,
      redirect: init.scope.redirect,
      deviceCookie: findCookie(call.request, deviceCookie),
    }) satisfies DoorScope;
    const request = new Request(`${baseUrl}${AUTH_BASE_PATH}${pathAndSearch}`, {
      method: init.method,
      headers: headersFor(call),
      body: init.body,
      redirect: "manual",
    });
    try {
      const auth = authFor(init.provider);
      if (!auth) return { status: 404, code: "PROVIDER_NOT_FOUND" };
      const answer = doorScope.run(scope, () => auth.handler(request));
      const response =
        init.provider === OIDC_PROVIDER
          ? await withTimeout(answer, PROVIDER_TIMEOUT_MS)
          : await answer;
      if (init.provider === OIDC_PROVIDER && response.status === 404) {
        // Its discovery failed when this better-auth was built without it; the next sign-in builds another.
        oidcAuth = undefined;
        log("error", "auth.provider_unavailable", { request: info.id, provider: init.provider });
        return { status: 503, code: "SERVICE_UNAVAILABLE" };
      }
      // The plugin of passkeys answers what a statement threw as if the passkey had been wrong, or with a 500.
      if (!response.ok && isDatabaseError(scope.caught)) throw scope.caught;
      if (response.status >= 500 && !isWrongPasskey(pathAndSearch, response.status)) {
        log("error", "auth.failed", {
          request: info.id,
          path: request.url.split("?")[0],
          status: response.status,
        });
      }
      return response;
    } catch (error) {
      if (isUniqueViolation(error)) return { status: 409, code: "CONFLICT" };
      // Banned between better-auth's look and the new session: the database itself refused it.
      if (isRuleViolation(error, "BANNED_USER")) return { status: 403, code: "BANNED_USER" };
      if (isRuleViolation(error, "PASSKEY_LIMIT"))
        return { status: 409, code: "TOO_MANY_PASSKEYS" };
      if (isRuleViolation(error, "PASSKEY_COUNTER")) {
        return { status: 401, code: "AUTHENTICATION_FAILED" };
      }
      log("error", "auth.failed", { request: info.id, ...describeError(error) });
      if (init.provider) return { status: 503, code: "SERVICE_UNAVAILABLE" };
      return { status: 500, code: "UNKNOWN_ERROR" };
    }
  }

  async function addDevice(headers: Headers, call: DoorCall, scope: Partial<DoorScope>) {
    const cookie = await devices.remember(call, scope);
    if (cookie) headers.append("Set-Cookie", cookie);
  }

  async function addBanNotice(headers: Headers, ban: DoorScope["ban"]): Promise<void> {
    if (!ban) return;
    const options = { isSecure, maxAgeSeconds: BAN_NOTICE_MAX_AGE_SECONDS };
    const value = await sealBanNotice(keys, ban);
    headers.append("Set-Cookie", serializeCookie(banNoticeCookieName(isSecure), value, options));
  }

  function authFor(provider: string): Auth | undefined {
    if (provider !== OIDC_PROVIDER) return options.auth;
    oidcAuth ??= options.oidcAuth?.();
    return oidcAuth;
  }

  async function withTimeout(answer: Promise<Response>, ms: number): Promise<Response> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // Its discovery may never answer; the next sign-in asks again.
        oidcAuth = undefined;
        reject(new Error("The identity provider did not answer in time"));
      }, ms);
    });
    try {
      return await Promise.race([answer, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  function headersFor({ request, info, captchaToken }: DoorCall): Headers {
    const headers = new Headers({ "Content-Type": "application/json", Origin: baseUrl });
    for (const name of ["cookie", "user-agent", "x-captcha-response"]) {
      const value = request.headers.get(name);
      if (value) headers.set(name, value);
    }
    if (captchaToken) headers.set("x-captcha-response", captchaToken);
    if (info.clientAddress) headers.set("cf-connecting-ip", info.clientAddress);
    return headers;
  }

  return { handle, pass };
}

function failure(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ code }, { status, headers });
}

function refusal(status: number, code: string): DoorResult {
  return { ok: false, status, code, headers: new Headers() };
}

function codeForInvalid(error: z.ZodError): string {
  const [field] = error.issues[0]?.path ?? [];
  if (field === "email") return "INVALID_EMAIL";
  if (field === "otp") return "INVALID_OTP";
  return "INVALID_PAYLOAD";
}

async function readAnswer(response: Response): Promise<Record<string, unknown>> {
  const answer: unknown = await response.json().catch(() => undefined);
  return typeof answer === "object" && answer !== null ? { ...answer } : {};
}

function cookiesOf(response: Response): Headers {
  const headers = new Headers();
  for (const cookie of response.headers.getSetCookie()) headers.append("Set-Cookie", cookie);
  return headers;
}

function withoutTokens({ token: _token, session: _session, ...rest }: Record<string, unknown>) {
  return rest;
}

/** The plugin answers 500 to a new passkey it cannot verify. */
function isWrongPasskey(path: string, status: number): boolean {
  return path === "/passkey/verify-registration" && status === 500;
}

function statusOf(response: Response, path: string, answer: Record<string, unknown>): number {
  if (response.status === 500 && isCaptchaDown(path, answer)) return 503;
  if (isWrongPasskey(path, response.status)) return 400;
  // An unknown passkey and a wrong signature are answered alike.
  if (answer.code === "AUTHENTICATION_FAILED") return 401;
  return response.status;
}

function isCaptchaDown(path: string, answer: Record<string, unknown>): boolean {
  return path === "/email-otp/send-verification-otp" && answer.code === "UNKNOWN_ERROR";
}

function codeOf(response: Response, path: string, answer: Record<string, unknown>): string {
  if (isCaptchaDown(path, answer)) return "SERVICE_UNAVAILABLE";
  if (answer.code === "PASSKEY_NOT_FOUND") return "AUTHENTICATION_FAILED";
  if (typeof answer.code === "string") return answer.code;
  if (response.status === 429) return "TOO_MANY_REQUESTS";
  if (response.status === 404) return "NOT_FOUND";
  return response.status >= 500 ? "UNKNOWN_ERROR" : "INVALID_PAYLOAD";
}
