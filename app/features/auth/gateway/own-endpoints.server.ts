import { clientSession } from "../../../db/client-rows.ts";
import type { Db } from "../../../db/db.server.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { log } from "../../../runtime/log.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { describeOccasion } from "../../audit/occasion.server.ts";
import {
  type AccountCodes,
  type CodeRefusal,
  type OwnRequest,
  ownRequestOf,
} from "../codes/account-codes.server.ts";
import { stopImpersonation } from "../impersonation/impersonation.server.ts";
import {
  type CurrentSession,
  checkEntry,
  clearSessionCookie,
  confirmSession,
} from "../sessions/sessions.server.ts";
import type { Onboard } from "./client-endpoint.ts";
import {
  type GatewayCall,
  type GatewayRefusal,
  type GatewayResult,
  refusal,
} from "./gateway-call.ts";
import { signOut } from "./sign-out.server.ts";

// Endpoints that the auth gateway answers itself, under the names that better-auth's client uses.

export type OwnOptions = {
  db: Db;
  keys: Keys;
  isSecure: boolean;
  /** Ends sessions of a user and records it, in one batch. */
  revokeSessions: (
    actor: Actor,
    which: { userId: string; exceptSessionId: string | undefined },
  ) => Promise<unknown>;
  accountCodes: AccountCodes;
  onboard: Onboard;
  /** Our own account deletion, from the code to the grace period. */
  accountDeletion: AccountDeletion;
};

type AccountDeletion = {
  request: (own: OwnRequest) => Promise<{ ok: true } | CodeRefusal>;
  start: (own: OwnRequest, code: string) => Promise<{ ok: true } | CodeRefusal>;
};

/** Returns the current session and its user as better-auth documents them, and what is ours; null without one. */
export async function findOwnSession(call: GatewayCall): Promise<GatewayResult<unknown>> {
  const current = await call.current();
  if (!current) return { ok: true, headers: new Headers(), body: null };
  const { session, user } = describeSession(current);
  const body = { session: clientSession(session), user: withoutBan(user) };
  return { ok: true, headers: new Headers(), body };
}

/** Returns what others may know of a session and its user. */
export function describeSession({ session, user }: CurrentSession) {
  const { id, createdAt, updatedAt, expiresAt, ipAddress, userAgent } = session;
  const { authenticatedAt, activeOrganizationId, activeTeamId } = session;
  const { impersonatedBy, impersonation, passkeyDemand, passkeyGraceEndsAt } = session;
  const shown = {
    id,
    userId: user.id,
    createdAt,
    updatedAt,
    expiresAt,
    ipAddress,
    userAgent,
    authenticatedAt,
    activeOrganizationId,
    activeTeamId,
    impersonatedBy,
    impersonation,
    passkeyDemand,
    passkeyGraceEndsAt,
  };
  return { session: shown, user };
}

/** Adds the fields of a ban, which better-auth documents: a banned user has no session. */
function withoutBan(user: CurrentSession["user"]) {
  return { ...user, banned: false, banReason: null, banExpires: null };
}

/**
 * Sends a code to the user's own e-mail, with which they prove who they are. Errors: EMAIL_MISMATCH for another e-mail,
 * PASSKEY_REQUIRED where only a passkey proves it, and those of sending a code.
 */
export async function sendProof(
  { accountCodes }: OwnOptions,
  call: GatewayCall,
  { email }: { email: string },
): Promise<GatewayResult> {
  const own = await findProver(call, email);
  if (!own.ok) return own;
  const { info } = call;
  const use = { purpose: "confirm", email } as const;
  const sent = await accountCodes.send(askerOf(call, own.current), use, info.now());
  if (!sent.ok) return { ...sent, headers: new Headers() };
  info.afterAnswer(sent.deliver);
  return { ok: true, headers: new Headers(), body: { success: true } };
}

/**
 * Takes that code: the session counts as just authenticated. Errors: as for `sendProof`, and those of checking a code.
 */
export async function verifyEmail(
  { db, accountCodes }: OwnOptions,
  call: GatewayCall,
  { email, otp }: { email: string; otp: string },
): Promise<GatewayResult> {
  const own = await findProver(call, email);
  if (!own.ok) return own;
  const { info } = call;
  const { user, session } = own.current;
  const use = { purpose: "confirm", email } as const;
  const checked = await accountCodes.check(askerOf(call, own.current), use, otp, info.now());
  if (!checked.ok) return { ...checked, headers: new Headers() };
  const actor = { actorId: user.id, impersonatorId: null, source: info };
  const isConfirmed = await confirmSession(db, actor, session.id, checked.spend);
  if (!isConfirmed) return { ...accountCodes.expired, headers: new Headers() };
  // As in better-auth, the session stays the same one.
  return {
    ok: true,
    headers: new Headers(),
    body: { status: true, token: null, user: withoutBan(user) },
  };
}

/** Returns the session whose user may prove by a code to this e-mail who they are. */
async function findProver(
  call: GatewayCall,
  email: string,
): Promise<{ ok: true; current: CurrentSession } | GatewayRefusal> {
  const entry = checkEntry(await call.current());
  if (!entry.ok) return refusal(entry.status, entry.code);
  const { current } = entry;
  if (current.session.impersonatedBy) return refusal(403, "CLOSED_WHILE_IMPERSONATING");
  if (current.session.provesByPasskey) return refusal(403, "PASSKEY_REQUIRED");
  return email === current.user.email ? { ok: true, current } : refusal(400, "EMAIL_MISMATCH");
}

function askerOf({ info, language }: GatewayCall, { user, session }: CurrentSession) {
  return {
    userId: user.id,
    sessionId: session.id,
    language,
    request: describeOccasion(info),
    ipAddress: info.limitedIpAddress,
  };
}

/** A client follows the URL in the answer, as after every call that redirects (spec section 7). */
export async function stopImpersonating(
  options: OwnOptions,
  call: GatewayCall,
): Promise<GatewayResult> {
  const stopped = await stopImpersonation(options, call);
  if (!stopped.ok) return refusal(stopped.status, stopped.code);
  if (!stopped.isEnded) return notEnded(stopped.headers);
  return { ok: true, headers: stopped.headers, body: { url: stopped.location, redirect: true } };
}

/** Ends the session of the request. Error: SESSIONS_NOT_ENDED when only this browser's cookie was deleted. */
export async function signOutByCall(
  options: OwnOptions,
  call: GatewayCall,
): Promise<GatewayResult> {
  const { isEnded, isImpersonation, location, headers } = await signOut(options, call);
  if (!isEnded) return notEnded(headers);
  const body = isImpersonation ? { url: location, redirect: true } : { success: true };
  return { ok: true, headers, body };
}

/** Ends all sessions of the user, or all but the current one. */
export async function revokeOwnSessions(
  { revokeSessions, isSecure }: OwnOptions,
  call: GatewayCall,
  { user, session }: CurrentSession,
  which: "all" | "others",
): Promise<GatewayResult> {
  await revokeSessions(
    { actorId: user.id, impersonatorId: null, source: call.info },
    { userId: user.id, exceptSessionId: which === "others" ? session.id : undefined },
  );
  log("info", "auth.sessions_revoked", { request: call.info.id, user: user.id, which });
  const headers = new Headers();
  if (which === "all") headers.append("Set-Cookie", clearSessionCookie(isSecure));
  return { ok: true, headers, body: { status: true } };
}

function notEnded(headers: Headers): GatewayResult {
  return { ok: false, status: 503, code: "SESSIONS_NOT_ENDED", headers };
}

/**
 * With a code it starts the grace period and signs out. Without one it sends a code and refuses
 * with OTP_REQUIRED, so that no client takes the account for deleted.
 */
export async function deleteUser(
  { accountDeletion, isSecure }: OwnOptions,
  call: GatewayCall,
  current: CurrentSession,
  { otp }: { otp?: string },
): Promise<GatewayResult> {
  const { info } = call;
  const own = ownRequestOf(current, askerOf(call, current), info);
  const result = await (otp === undefined
    ? accountDeletion.request(own)
    : accountDeletion.start(own, otp));
  const headers = new Headers();
  if (!result.ok) return { ...result, headers };
  if (otp === undefined) return refusal(400, "OTP_REQUIRED");
  headers.append("Set-Cookie", clearSessionCookie(isSecure));
  return { ok: true, headers, body: DELETION_STARTED };
}

const DELETION_STARTED = { success: true, message: "User deleted", code: "DELETION_STARTED" };
