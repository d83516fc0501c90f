import { href, redirect } from "react-router";
import { serializeCookie } from "../../../http/cookies.ts";
import { readJson } from "../../../http/json.ts";
import { safeRedirect } from "../../../http/safe-redirect.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { Email } from "../../../values/email.ts";
import { can } from "../../access/permissions.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { CODE_TRIES } from "../codes/code.ts";
import { codeSentCookie } from "../codes/code-sent.ts";
import { type CurrentSession, isFresh, isInGracePeriod } from "../sessions/sessions.server.ts";
import {
  BAN_NOTICE_MAX_AGE_SECONDS,
  banNoticeCookieName,
  sealBanNotice,
} from "../sign-in/ban-notice.server.ts";
import { SEND_CODE_PATH, SIGN_IN_PATH } from "../sign-in/code-guard.server.ts";
import { firstScreenOf } from "../sign-in/first-screen.ts";
import { createDevices } from "../sign-in/new-device.server.ts";
import {
  dropPendingLink,
  findPendingLink,
  pendingLinkCookie,
} from "../sign-in/pending-link.server.ts";
import type { Provider } from "../sign-in/providers.ts";
import type { GatewayScope, SignedIn } from "../sign-in/scope.server.ts";
import { createSignInMethods } from "../sign-in/sign-in-methods.server.ts";
import { AUTH_BASE_PATH } from "./auth.server.ts";
import { cookiesOf, readAnswer } from "./auth-answer.ts";
import { type AuthCallOptions, createAuthCalls, type Sent } from "./auth-call.server.ts";
import { type Calling, codeForInvalid, ENDPOINTS, LINKING } from "./endpoints.server.ts";
import { messageForCode } from "./error-message.ts";
import {
  type GatewayCall,
  type GatewayRefusal,
  type GatewayResult,
  refusal,
} from "./gateway-call.ts";
import { linkMessageFor } from "./link-message.ts";
import type { OwnOptions } from "./own-endpoints.server.ts";

/** Path to which an identity provider redirects. */
const CALLBACK = /^\/callback\/(github|google|oidc)$/;

/**
 * Answers of better-auth after which a code to the e-mail helps: the provider does not vouch for the e-mail, or it is
 * not verified here.
 */
const NEEDS_PROOF = ["EMAIL_NOT_VERIFIED", "account_not_linked"];

type GatewayOptions = AuthCallOptions &
  OwnOptions & { mailer: Pick<Mailer, "prepare" | "queue">; providers: Provider[] };

export type Gateway = ReturnType<typeof createGateway>;

/** The only access to better-auth, for `/api/auth/*` and for route actions. */
export function createGateway(options: GatewayOptions) {
  const { keys, baseUrl, isSecure } = options;
  const devices = createDevices(options);
  const { callAuth } = createAuthCalls(options, devices.tell);
  const methods = createSignInMethods(options);

  /** Answers a request to `/api/auth/*`. Error answers are `{code}` with the error's status. */
  async function handle(call: GatewayCall): Promise<Response> {
    const url = new URL(call.request.url);
    const path = url.pathname.slice(AUTH_BASE_PATH.length);
    if (CALLBACK.test(path)) return handleCallback(call, path, url.search);
    const endpoint = ENDPOINTS[path];
    if (!endpoint) return responseOf(refusal(404, "NOT_FOUND"));
    if (endpoint.method !== call.request.method) return notAllowed(endpoint.method);
    try {
      if ("read" in endpoint) return responseOf(await endpoint.read(options, call));
      if (endpoint.method === "GET") return responseOf(await pass(call, path, {}));
      const body = await readJson(call.request);
      if (!body.ok) return responseOf(refusal(body.status, body.code));
      return responseOf(await pass(call, path, body.value));
    } catch (error) {
      log("error", "auth.failed", { request: call.info.id, path, ...describeError(error) });
      const failure = "failure" in endpoint ? endpoint.failure : undefined;
      return responseOf(failure ? refusal(503, failure) : refusal(500, "UNKNOWN_ERROR"));
    }
  }

  /** Calls one endpoint with an unchecked input, and returns the result as a value. */
  async function pass(call: GatewayCall, path: string, untrusted: unknown): Promise<GatewayResult> {
    const endpoint = ENDPOINTS[path];
    if (!endpoint || "read" in endpoint)
      throw new Error(`The auth gateway has no endpoint ${path}`);
    const parsed = endpoint.input.safeParse(untrusted);
    if (!parsed.success) return refusal(400, codeForInvalid(parsed.error));
    const input = parsed.data;

    const current = endpoint.needsSession ? await call.current() : undefined;
    const refused = findRefusal(endpoint, current, call.info.now());
    if (refused) return refused;
    if (endpoint.own) return endpoint.own(options, call, input);

    const sent = endpoint.prepare?.(input, baseUrl) ?? { body: input };
    const result = await forward(call, path, { method: endpoint.method, ...sent });
    if (!result.ok) {
      const { status, code } = result;
      log("warn", "auth.refused", { request: call.info.id, path, status, code });
      return result;
    }
    if (endpoint.added && current) {
      await methods.tell(call, current.user.id, endpoint.added(result.body));
    }
    log("info", `auth${path.replaceAll("/", ".")}`, {
      request: call.info.id,
      user: current?.user.id,
    });
    const { body, firstScreen } = result;
    return endpoint.answer ? { ...result, body: endpoint.answer(body, firstScreen) } : result;
  }

  /** Calls better-auth and adds to its answer: the cookie of a trusted device, or the reason of a ban. */
  async function forward(call: GatewayCall, path: string, sent: Sent): Promise<GatewayResult> {
    const { answer, scope } = await callAuth(call, path, sent);
    if (scope.mailError) {
      log("error", "mail.not_queued", { request: call.info.id, ...describeError(scope.mailError) });
      return refusal(503, "MAIL_NOT_SENT");
    }
    const result = answer instanceof Response ? await readAnswer(path, answer) : answer;
    if (result.ok) {
      const { signedIn } = scope;
      await addDevice(result.headers, scope);
      if (signedIn) await settlePendingLink(result.headers, call, path, signedIn);
      return { ...result, firstScreen: signedIn && firstScreenOf(signedIn, scope.redirect) };
    }
    await addBanNotice(result.headers, scope.ban);
    if (scope.wrongTries === undefined) return result;
    const triesLeft = CODE_TRIES - scope.wrongTries;
    // better-auth reports this from the fourth try on, but the third wrong one has already used up the code.
    return triesLeft <= 0 ? { ...result, code: "TOO_MANY_ATTEMPTS" } : { ...result, triesLeft };
  }

  async function handleCallback(
    call: GatewayCall,
    path: string,
    search: string,
  ): Promise<Response> {
    if (call.request.method !== "GET") return notAllowed("GET");
    const provider = path.slice("/callback/".length);
    const state = new URLSearchParams(search).get("state") ?? undefined;
    const sent = { method: "GET", provider, state } as const;
    const { answer, scope } = await callAuth(call, path + search, sent);
    if (answer instanceof Response && answer.status < 400) {
      log("info", "auth.callback", { request: call.info.id, provider });
      const response = new Response(answer.body, answer);
      await addDevice(response.headers, scope);
      await addBanNotice(response.headers, scope.ban);
      if (scope.linked) await methods.tellLinked(call, scope.linked);
      if (scope.signedIn) return leadToFirstScreen(response, scope.signedIn);
      return (
        (await endLinking(call, response)) ?? (await askForProof(call, scope, response)) ?? response
      );
    }
    const ended = await endLinking(call, answer);
    if (ended) return ended;
    // This answer is shown to a person, so it redirects to a page.
    return new Response(null, {
      status: 303,
      headers: { Location: `${baseUrl}/login/error?error=unknown_error` },
    });
  }

  /**
   * Redirects after a sign-in with a provider to the user's first screen, because better-auth only knows the login
   * screen.
   */
  function leadToFirstScreen(answer: Response, signedIn: SignedIn): Response {
    const target = new URL(answer.headers.get("Location") ?? href("/login"), baseUrl);
    const next = safeRedirect(target.searchParams.get("redirect"));
    return redirect(firstScreenOf(signedIn, next), { headers: cookiesOf(answer.headers) });
  }

  /**
   * Redirects to the account screen with a toast when the linking of an account ends, with success or an error. A
   * failure without a return URL counts as linking when the user is signed in. Undefined for a sign-in.
   */
  async function endLinking(
    call: GatewayCall,
    answer: Response | GatewayRefusal,
  ): Promise<Response | undefined> {
    const target = new URL(answer.headers.get("Location") ?? href("/login/error"), baseUrl);
    const error = answer instanceof Response ? target.searchParams.get("error") : answer.code;
    if (target.searchParams.has(LINKING)) {
      if (error !== null) return refuse(target.pathname, error);
      log("info", "auth.linked", { request: call.info.id });
      const toast = { kind: "success", message: "account:linked.done" } as const;
      return redirectWithToast(target.pathname, toast, cookiesOf(answer.headers));
    }
    if (target.pathname !== href("/login/error")) return undefined;
    const current = await call.current().catch(() => undefined);
    if (!current) return undefined;
    const isManager = can(current.user, "apps", "manager");
    return refuse(href(isManager ? "/manager/account" : "/app/account"), error ?? "UNKNOWN_ERROR");

    function refuse(account: string, code: string): Response {
      const toast = { kind: "error", message: linkMessageFor(code) } as const;
      return redirectWithToast(account, toast, cookiesOf(answer.headers));
    }
  }

  /**
   * Redirects from a provider that does not vouch for the e-mail to the form for a code, as the login screen does: same
   * limits, and same answers for known and unknown mailboxes. If no code could be sent, the screen shows the reason and
   * offers to send one. Undefined when no code would help.
   */
  async function askForProof(
    call: GatewayCall,
    { identity }: GatewayScope,
    answer: Response,
  ): Promise<Response | undefined> {
    const target = new URL(answer.headers.get("Location") ?? "", baseUrl);
    const email = Email.safeParse(identity?.email);
    if (!identity || !email.success) return undefined;
    if (!NEEDS_PROOF.includes(target.searchParams.get("error") ?? "")) return undefined;
    const next = safeRedirect(target.searchParams.get("redirect"));
    const search = new URLSearchParams({ ...(next && { redirect: next }), email: email.data });
    const verify = `${href("/login/verify")}?${search}`;
    const now = call.info.now();
    const headers = cookiesOf(answer.headers);
    const pending = { ...identity, email: email.data };
    headers.append("Set-Cookie", await pendingLinkCookie(options, pending, now));
    const sent = await pass(call, SEND_CODE_PATH, { email: email.data, redirect: next });
    if (sent.ok) {
      headers.append("Set-Cookie", codeSentCookie(now));
      return redirect(verify, { headers });
    }
    const message = messageForCode(sent.code, { ...sent, language: call.language });
    return redirectWithToast(verify, { kind: "error", message }, headers);
  }

  /** Drops the browser's pending link after a sign-in. A code to the same e-mail links the account first. */
  async function settlePendingLink(
    headers: Headers,
    call: GatewayCall,
    path: string,
    owner: SignedIn,
  ): Promise<void> {
    const dropped = dropPendingLink(call.request, isSecure);
    if (!dropped) return;
    headers.append("Set-Cookie", dropped);
    if (path !== SIGN_IN_PATH) return;
    const pending = await findPendingLink(options, call.request, owner.email, call.info.now());
    if (pending) await methods.link(call, pending, owner);
  }

  async function addDevice(headers: Headers, scope: GatewayScope): Promise<void> {
    const cookie = await devices.trust(scope);
    if (cookie) headers.append("Set-Cookie", cookie);
  }

  async function addBanNotice(headers: Headers, ban: GatewayScope["ban"]): Promise<void> {
    if (!ban) return;
    const options = { isSecure, maxAgeSeconds: BAN_NOTICE_MAX_AGE_SECONDS };
    const value = await sealBanNotice(keys, ban);
    headers.append("Set-Cookie", serializeCookie(banNoticeCookieName(isSecure), value, options));
  }

  return { handle, pass };
}

/** Returns the reason why an endpoint is closed for a session; undefined when it is open. */
function findRefusal(
  { needsSession, needsFresh, needsProvenEmail, isOpenInGracePeriod }: Calling,
  current: CurrentSession | undefined,
  now: Date,
): GatewayRefusal | undefined {
  if (!needsSession) return undefined;
  if (!current) return refusal(401, "UNAUTHORIZED");
  if (current.session.impersonatedBy) return refusal(403, "CLOSED_WHILE_IMPERSONATING");
  if (isInGracePeriod(current) && !isOpenInGracePeriod) {
    return refusal(403, "ACCOUNT_BEING_DELETED");
  }
  if (needsProvenEmail && !current.user.emailVerified) return refusal(403, "EMAIL_NOT_VERIFIED");
  return needsFresh && !isFresh(current, now) ? refusal(403, "SESSION_EXPIRED") : undefined;
}

function responseOf(result: GatewayResult<unknown>): Response {
  const { headers } = result;
  if (result.ok) return Response.json(result.body, { headers });
  const { status, code, retryAfterSeconds } = result;
  if (retryAfterSeconds) headers.set("Retry-After", String(retryAfterSeconds));
  return Response.json({ code }, { status, headers });
}

function notAllowed(method: string): Response {
  return Response.json({ code: "METHOD_NOT_ALLOWED" }, { status: 405, headers: { Allow: method } });
}
