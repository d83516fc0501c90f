import { and, eq, isNotNull } from "drizzle-orm";
import { session, user } from "../../../db/schema/schema.ts";
import { serializeCookie } from "../../../http/cookies.ts";
import { describeError, log } from "../../../runtime/log.ts";
import type { Mailer } from "../../mail/outbox.server.ts";
import { askerCookie } from "../sessions/asker.server.ts";
import { isPasskeyMissing } from "../sessions/passkey-demand.ts";
import { type CurrentSession, isFresh, isInGracePeriod } from "../sessions/sessions.server.ts";
import {
  BAN_NOTICE_MAX_AGE_SECONDS,
  type BanNotice,
  banNoticeCookieName,
  sealBanNotice,
} from "../sign-in/ban-notice.server.ts";
import { SIGN_IN_PATH } from "../sign-in/code-guard.server.ts";
import { firstScreenOf } from "../sign-in/first-screen.ts";
import { lastMethodCookie } from "../sign-in/last-method.ts";
import type { createDevices } from "../sign-in/new-device.server.ts";
import { PASSKEY_CONFIRM_PATH, PASSKEY_SIGN_IN_PATH } from "../sign-in/passkey-call.server.ts";
import { dropPendingLink, findPendingLink } from "../sign-in/pending-link.server.ts";
import type { Provider } from "../sign-in/providers.ts";
import type { GatewayScope, SignedIn } from "../sign-in/scope.server.ts";
import type { createSignInMethods } from "../sign-in/sign-in-methods.server.ts";
import { readAnswer } from "./auth-answer.ts";
import type { AuthCallOptions, createAuthCalls, Sent } from "./auth-call.server.ts";
import type { ClientEndpoints } from "./client-endpoint.ts";
import { type Calling, ENDPOINTS, invalidInput, type RouteInputs } from "./endpoints.server.ts";
import {
  type GatewayCall,
  type GatewayRefusal,
  type GatewayResult,
  refusal,
} from "./gateway-call.ts";
import type { OwnOptions } from "./own-endpoints.server.ts";

export type GatewayOptions = AuthCallOptions &
  OwnOptions & {
    mailer: Pick<Mailer, "prepare" | "queue">;
    providers: Provider[];
    /** The endpoints that features answer. */
    clientEndpoints: ClientEndpoints;
    adminEmails: string[];
  };

/** The options with the parts of the gateway that are built once. */
export type GatewayParts = GatewayOptions & {
  devices: ReturnType<typeof createDevices>;
  methods: ReturnType<typeof createSignInMethods>;
  callAuth: ReturnType<typeof createAuthCalls>["callAuth"];
};

/** Calls one endpoint for a route action, whose form has parsed the input. */
export function pass<Path extends keyof RouteInputs>(
  parts: GatewayParts,
  call: GatewayCall,
  path: Path,
  input: RouteInputs[Path],
): Promise<GatewayResult> {
  return passTo(parts, call, path, endpointAt(path), input);
}

/** Calls one endpoint with an unchecked input. */
export async function passUnchecked(
  parts: GatewayParts,
  call: GatewayCall,
  path: string,
  untrusted: unknown,
): Promise<GatewayResult> {
  const endpoint = endpointAt(path);
  const parsed = endpoint.input.safeParse(untrusted);
  if (!parsed.success) return invalidInput(parsed.error);
  return passTo(parts, call, path, endpoint, parsed.data);
}

function endpointAt(path: string): Calling {
  const endpoint = ENDPOINTS[path];
  if (!endpoint || "read" in endpoint) throw new Error(`The auth gateway has no endpoint ${path}`);
  return endpoint;
}

/** Calls one endpoint with a parsed input, and returns the result as a value. */
async function passTo(
  parts: GatewayParts,
  call: GatewayCall,
  path: string,
  endpoint: Calling,
  input: Record<string, unknown>,
): Promise<GatewayResult> {
  const current = endpoint.needsSession ? await call.current() : undefined;
  const refused = findRefusal(endpoint, current, call.info.now());
  if (refused) return refused;
  if (endpoint.own) return endpoint.own(parts, call, input);
  const instead = endpoint.instead?.(parts, call, input);
  if (instead) return instead;

  const prepared = endpoint.prepare?.(input, parts.baseUrl) ?? { body: input };
  const sent = { method: endpoint.method, ...prepared };
  if (endpoint.isConfirmation && current) return confirm(parts, call, current, sent);

  const result = await forward(parts, call, path, sent);
  if (!result.ok) {
    const { status, code } = result;
    log("warn", "auth.refused", { request: call.info.id, path, status, code });
    return result;
  }
  if (endpoint.added && current) {
    await parts.methods.tell(call, current.user.id, endpoint.added(result.body));
    await proveByNewPasskey(parts, call, current, String(result.body.id));
  }
  log("info", `auth${path.replaceAll("/", ".")}`, {
    request: call.info.id,
    user: current?.user.id,
  });
  const { body, firstScreen } = result;
  return endpoint.answer ? { ...result, body: endpoint.answer(body, firstScreen) } : result;
}

/**
 * Proves the current session by a passkey of its user. better-auth checks the passkey as for a sign-in; the new session
 * and its cookie are left out.
 */
async function confirm(
  parts: GatewayParts,
  call: GatewayCall,
  { user: owner, session: own }: CurrentSession,
  { passkey, ...sent }: Sent,
): Promise<GatewayResult> {
  const confirms = { sessionId: own.id, userId: owner.id };
  const { answer, scope } = await parts.callAuth(call, PASSKEY_SIGN_IN_PATH, {
    ...sent,
    passkey: passkey && { ...passkey, confirms },
  });
  const { subject } = scope;
  if (subject.type !== "passkey" || !subject.isConfirmed) {
    const read =
      answer instanceof Response ? await readAnswer(PASSKEY_SIGN_IN_PATH, answer) : answer;
    const result = read.ok ? refusal(500, "UNKNOWN_ERROR") : read;
    const { status, code } = result;
    log("warn", "auth.refused", {
      request: call.info.id,
      path: PASSKEY_CONFIRM_PATH,
      status,
      code,
    });
    return result;
  }
  log("info", "auth.passkey_confirmed", { request: call.info.id, user: owner.id });
  return { ok: true, headers: new Headers(), body: { confirmed: true } };
}

/**
 * Records that a new passkey has proven the session that added it, and ends an admin's leave to add one. On failure the
 * passkey is there, and the session is asked for it.
 */
async function proveByNewPasskey(
  { db }: GatewayParts,
  { info }: GatewayCall,
  { user: owner, session: own }: CurrentSession,
  passkeyId: string,
): Promise<void> {
  try {
    await db.batch([
      db
        .update(session)
        .set({ passkeyProvedAt: info.now(), passkeyProvedBy: passkeyId })
        .where(eq(session.id, own.id)),
      db
        .update(user)
        .set({ passkeyReleaseUntil: null })
        .where(and(eq(user.id, owner.id), isNotNull(user.passkeyReleaseUntil))),
    ]);
  } catch (error) {
    log("error", "session.not_proven", { request: info.id, ...describeError(error) });
  }
}

/** Calls better-auth and adds to its answer: the cookie of a trusted device, or the reason of a ban. */
async function forward(
  parts: GatewayParts,
  call: GatewayCall,
  path: string,
  sent: Sent,
): Promise<GatewayResult> {
  const { answer, scope } = await parts.callAuth(call, path, sent);
  const { subject, noted } = scope;
  const result = answer instanceof Response ? await readAnswer(path, answer) : answer;
  if (result.ok) {
    const { signedIn } = noted;
    if (subject.type === "code-request") {
      result.headers.append("Set-Cookie", await askerCookie(parts, subject.browser));
    }
    await addDevice(parts, result.headers, scope, path === SIGN_IN_PATH ? "email" : "passkey");
    if (signedIn) await settlePendingLink(parts, result.headers, call, path, signedIn);
    const firstScreen = signedIn && firstScreenOf(signedIn, scope.redirect);
    return { ...result, body: withRole(result.body, signedIn), firstScreen };
  }
  await addBanNotice(parts, result.headers, noted.ban);
  return { ...result, triesLeft: noted.triesLeft };
}

/** Returns an answer in which the user has the role after the promotion, which better-auth does not know. */
function withRole(body: Record<string, unknown>, signedIn: SignedIn | undefined) {
  const { user: shown } = body;
  if (!signedIn || !shown || typeof shown !== "object") return body;
  return { ...body, user: { ...shown, role: signedIn.role } };
}

/** Drops the browser's pending link after a sign-in. A code to the same e-mail links the account first. */
async function settlePendingLink(
  parts: GatewayParts,
  headers: Headers,
  call: GatewayCall,
  path: string,
  owner: SignedIn,
): Promise<void> {
  const dropped = dropPendingLink(call.request, parts.isSecure);
  if (!dropped) return;
  headers.append("Set-Cookie", dropped);
  if (path !== SIGN_IN_PATH) return;
  const pending = await findPendingLink(parts, call.request, owner.email, call.info.now());
  if (!pending) return;
  await parts.methods.link(call, pending, owner);
  // The user began with the provider, which signs in without a code from now on.
  headers.append("Set-Cookie", lastMethodCookie(pending.provider));
}

/** Adds the cookies of a trusted device and of its sign-in method after a sign-in. */
export async function addDevice(
  { devices }: GatewayParts,
  headers: Headers,
  scope: GatewayScope,
  method: string,
): Promise<void> {
  const cookie = await devices.trust(scope);
  if (!cookie) return;
  headers.append("Set-Cookie", cookie);
  headers.append("Set-Cookie", lastMethodCookie(method));
}

/** Adds the sealed cookie with the reason of a ban, for the login screen. */
export async function addBanNotice(
  { keys, isSecure }: GatewayParts,
  headers: Headers,
  ban: BanNotice | undefined,
): Promise<void> {
  if (!ban) return;
  const options = { isSecure, maxAgeSeconds: BAN_NOTICE_MAX_AGE_SECONDS };
  const value = await sealBanNotice(keys, ban);
  headers.append("Set-Cookie", serializeCookie(banNoticeCookieName(isSecure), value, options));
}

/** Returns the reason why an endpoint is closed for a session; undefined when it is open. */
function findRefusal(
  { needsSession, needsFresh, needsProvenEmail, isOpenInGracePeriod, ...endpoint }: Calling,
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
  if (!endpoint.isConfirmation && isPasskeyMissing(current.session, endpoint.change ?? "account")) {
    return refusal(403, "PASSKEY_REQUIRED");
  }
  return needsFresh && !isFresh(current, now) ? refusal(403, "SESSION_EXPIRED") : undefined;
}
