import { CLIENT_SESSION, CLIENT_USER } from "../../../db/client-rows.ts";
import { serializeCookie } from "../../../http/cookies.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import { log } from "../../../runtime/log.ts";
import { noteStep } from "../codes/sign-in-steps.server.ts";
import { askerCookie } from "../sessions/asker.server.ts";
import type { CurrentSession } from "../sessions/sessions.server.ts";
import {
  BAN_NOTICE_MAX_AGE_SECONDS,
  type BanNotice,
  banNoticeCookieName,
  sealBanNotice,
} from "../sign-in/ban-notice.server.ts";
import { findCodeAsker } from "../sign-in/code-guard.server.ts";
import { firstScreenOf } from "../sign-in/first-screen.ts";
import { lastMethodCookie } from "../sign-in/last-method.ts";
import { dropPendingLink } from "../sign-in/pending-link.server.ts";
import type { CodeRequest, GatewayScope, SignedIn } from "../sign-in/scope.server.ts";
import { readAnswer } from "./auth-answer.ts";
import type { Sent } from "./auth-call.server.ts";
import type { GatewayCall, GatewayResult } from "./gateway-call.ts";
import type { GatewayParts } from "./gateway-parts.ts";

/**
 * Calls better-auth, logs the result, and adds to it: the cookies of a trusted device and the first
 * screen after a sign-in by passkey, or the reason of a ban. `current` is the session that an
 * endpoint has asked for.
 */
export async function forward(
  parts: GatewayParts,
  call: GatewayCall,
  path: string,
  sent: Sent,
  current?: CurrentSession,
): Promise<GatewayResult> {
  const { answer, scope } = await parts.callAuth(call, path, sent);
  const { subject } = scope;
  const request = call.info.id;
  const result = answer instanceof Response ? await readAnswer(path, answer) : answer;
  const signIn = subject.type === "passkey" ? subject : undefined;
  if (subject.type === "code-request" && !scope.first.isSent) {
    noteUnsent(parts, call, subject, result);
  }
  if (!result.ok) {
    const { headers, status, code } = result;
    await addBanNotice(parts, headers, signIn?.ban);
    noteBanned(parts, call, scope, signIn?.bannedEmail);
    log("warn", "auth.refused", { request, path, status, code });
    return result;
  }
  log("info", `auth${path.replaceAll("/", ".")}`, { request, user: current?.user.id });
  const { headers } = result;
  if (subject.type === "code-request") {
    headers.append("Set-Cookie", await askerCookie(parts, subject.browser));
  }
  const signedIn = signIn?.signedIn;
  if (!signedIn) return result;
  await addDevice(parts, headers, scope, signedIn, "passkey");
  const dropped = dropPendingLink(call.request, parts.isSecure);
  if (dropped) headers.append("Set-Cookie", dropped);
  const firstScreen = firstScreenOf(signedIn, scope.redirect);
  return { ...result, body: signInAnswer(result.body, signedIn), firstScreen };
}

/**
 * Notes a request for a code that a captcha or the limit of the IP address refused. It never reached
 * the batch that notes the others.
 */
function noteUnsent(
  { db }: GatewayParts,
  { info }: GatewayCall,
  { asker, email }: CodeRequest,
  result: GatewayResult<unknown>,
): void {
  if (result.ok) return;
  const isCaptcha = CAPTCHA_ERRORS.includes(result.code);
  if (!isCaptcha && result.code !== "TOO_MANY_REQUESTS") return;
  const outcome = isCaptcha ? "limited.captcha" : "limited.address";
  info.afterAnswer(() => noteStep(db, { asker, email, outcome }, info));
}

/**
 * Notes after the answer that a ban refused a sign-in by passkey or provider. A sign-in by code
 * notes it in its own batch.
 */
export function noteBanned(
  parts: GatewayParts,
  call: GatewayCall,
  scope: GatewayScope,
  email: string | undefined,
): void {
  if (email === undefined) return;
  call.info.afterAnswer(async () => {
    const asker = await findCodeAsker(parts, scope, call.request, email);
    await noteStep(parts.db, { asker, email, outcome: "denied.banned" }, call.info);
  });
}

const CAPTCHA_ERRORS: readonly ErrorCode[] = ["MISSING_RESPONSE", "VERIFICATION_FAILED"];

/**
 * Returns better-auth's answer to a sign-in with the fields that clients may know, and with the
 * role after the promotion, which better-auth does not know.
 */
function signInAnswer({ user, session }: Record<string, unknown>, { role }: SignedIn) {
  return {
    // Its id stands where better-auth has the token.
    ...(isRecord(session) && { session: { ...pick(CLIENT_SESSION, session), token: session.id } }),
    ...(isRecord(user) && { user: clientUser({ ...user, role }) }),
  };
}

/** Returns what clients may know of a user. */
export function clientUser(user: Record<string, unknown>) {
  return pick(CLIENT_USER, user);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function pick(names: object, row: Record<string, unknown>) {
  return Object.fromEntries(Object.keys(names).map((name) => [name, row[name] ?? null]));
}

/** Adds the cookies of a trusted device and of its sign-in method after a sign-in. */
export async function addDevice(
  { devices }: GatewayParts,
  headers: Headers,
  scope: GatewayScope,
  signedIn: SignedIn,
  method: string,
): Promise<void> {
  headers.append("Set-Cookie", await devices.trust(scope, signedIn));
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
