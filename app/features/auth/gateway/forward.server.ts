import { CLIENT_SESSION, CLIENT_USER } from "../../../db/client-rows.ts";
import { serializeCookie } from "../../../http/cookies.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { askerCookie } from "../sessions/asker.server.ts";
import type { CurrentSession } from "../sessions/sessions.server.ts";
import {
  BAN_NOTICE_MAX_AGE_SECONDS,
  type BanNotice,
  banNoticeCookieName,
  sealBanNotice,
} from "../sign-in/ban-notice.server.ts";
import { SIGN_IN_PATH } from "../sign-in/code-guard.server.ts";
import { firstScreenOf } from "../sign-in/first-screen.ts";
import { lastMethodCookie } from "../sign-in/last-method.ts";
import { dropPendingLink, findPendingLink } from "../sign-in/pending-link.server.ts";
import { type GatewayScope, type SignedIn, signInOf } from "../sign-in/scope.server.ts";
import { readAnswer } from "./auth-answer.ts";
import type { Sent } from "./auth-call.server.ts";
import type { GatewayCall, GatewayResult } from "./gateway-call.ts";
import type { GatewayParts } from "./gateway-parts.ts";

/**
 * Calls better-auth, logs the result, and adds to it: the cookies of a trusted device and the first screen after a sign-in,
 * or the reason of a ban. `current` is the session that an endpoint has asked for.
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
  const signIn = signInOf(scope);
  if (!result.ok) {
    const { headers, status, code } = result;
    await addBanNotice(parts, headers, signIn?.ban);
    log("warn", "auth.refused", { request, path, status, code });
    return subject.type === "code-entry" ? { ...result, triesLeft: subject.triesLeft } : result;
  }
  log("info", `auth${path.replaceAll("/", ".")}`, { request, user: current?.user.id });
  const { headers } = result;
  if (subject.type === "code-request") {
    headers.append("Set-Cookie", await askerCookie(parts, subject.browser));
  }
  const signedIn = signIn?.signedIn;
  if (!signedIn) return result;
  await addDevice(parts, headers, scope, signedIn, path === SIGN_IN_PATH ? "email" : "passkey");
  await settlePendingLink(parts, headers, call, path, signedIn);
  const { about } = sent;
  const name = about.type === "code-entry" ? about.name : undefined;
  const known = name === undefined ? undefined : await nameNewUser(parts, call, signedIn, name);
  const firstScreen = firstScreenOf({ ...signedIn, ...known?.state }, scope.redirect);
  const shown = { role: signedIn.role, ...known?.shown };
  return { ...result, body: signInAnswer(result.body, shown), firstScreen };
}

/**
 * Gives a new user the name that the client sent with the code, as `/update-user` does. Undefined for a user who has one,
 * and on failure: the person is signed in, and the client sends the name again.
 */
async function nameNewUser(
  { onboard }: GatewayParts,
  { info, language }: GatewayCall,
  { id: userId, email, isOnboarded }: SignedIn,
  name: string,
) {
  if (isOnboarded) return undefined;
  try {
    const own = { userId, email, name, language, termsVersion: undefined };
    if (!(await onboard(info, own))) return undefined;
    const shown = { name, language, onboardedAt: info.now() };
    return { state: { isOnboarded: true }, shown };
  } catch (error) {
    log("error", "auth.name_not_kept", { request: info.id, ...describeError(error) });
    return undefined;
  }
}

/**
 * Returns better-auth's answer to a sign-in with the fields that clients may know, and with what better-auth does not know
 * of the user: the role after the promotion, and the name.
 */
function signInAnswer({ user, session }: Record<string, unknown>, known: object) {
  return {
    // Its id stands where better-auth has the token.
    ...(isRecord(session) && { session: { ...pick(CLIENT_SESSION, session), token: session.id } }),
    ...(isRecord(user) && { user: pick(CLIENT_USER, { ...user, ...known }) }),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function pick(names: object, row: Record<string, unknown>) {
  return Object.fromEntries(Object.keys(names).map((name) => [name, row[name] ?? null]));
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
