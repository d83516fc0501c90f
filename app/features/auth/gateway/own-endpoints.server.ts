import type { Db } from "../../../db/db.server.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { log } from "../../../runtime/log.ts";
import { can } from "../../access/permissions.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { type CodeRefusal, type OwnRequest, ownRequestOf } from "../codes/account-codes.server.ts";
import { stopImpersonation } from "../impersonation/impersonation.server.ts";
import { describeOccasion } from "../occasion.server.ts";
import { checkEntry, clearSessionCookie } from "../sessions/sessions.server.ts";
import { type GatewayCall, type GatewayResult, refusal } from "./gateway-call.ts";
import { signOut } from "./sign-out.server.ts";

// Endpoints that the auth gateway answers itself, under the names that better-auth's client uses.

export type OwnOptions = {
  db: Db;
  keys: Keys;
  isSecure: boolean;
  /** Returns the list of users for better-auth's query; not ok when the query is not valid. */
  listUsers: (url: URL) => Promise<{ ok: true; body: Record<string, unknown> } | { ok: false }>;
  /** Ends sessions of a user and records it, in one batch. */
  revokeSessions: (
    actor: Actor,
    which: { userId: string; exceptSessionId: string | undefined },
  ) => Promise<unknown>;
  /** Our own account deletion, from the code to the grace period. */
  accountDeletion: AccountDeletion;
};

type AccountDeletion = {
  request: (own: OwnRequest) => Promise<{ ok: true } | CodeRefusal>;
  start: (own: OwnRequest, code: string) => Promise<{ ok: true } | CodeRefusal>;
};

/** Returns the current session; null without one. */
export async function findOwnSession(call: GatewayCall): Promise<GatewayResult<unknown>> {
  const current = await call.current();
  if (!current) return { ok: true, headers: new Headers(), body: null };
  const { id, createdAt, authenticatedAt, activeOrganizationId, activeTeamId } = current.session;
  const { impersonatedBy, impersonation, passkeyDemand, passkeyGraceEndsAt } = current.session;
  const session = {
    ...{ id, createdAt, authenticatedAt, activeOrganizationId, activeTeamId },
    ...{ impersonatedBy, impersonation, passkeyDemand, passkeyGraceEndsAt },
  };
  return { ok: true, headers: new Headers(), body: { session, user: current.user } };
}

/**
 * Answers the list of users in better-auth's format, to users with the permission. better-auth's own endpoint answers
 * an empty list when the database fails, and D1 refuses its patterns over 50 bytes. Errors: INVALID_PAYLOAD
 * and those of `checkEntry`.
 */
export async function listUsers(options: OwnOptions, call: GatewayCall): Promise<GatewayResult> {
  const entry = checkEntry(await call.current());
  if (!entry.ok) return refusal(entry.status, entry.code);
  if (!can(entry.current.user, "user", "list")) {
    return refusal(403, "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS");
  }
  const url = new URL(call.request.url);
  const listed = await options.listUsers(url);
  if (!listed.ok) return refusal(400, "INVALID_PAYLOAD");
  return { ok: true, headers: new Headers(), body: listed.body };
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
  which: "all" | "others",
): Promise<GatewayResult> {
  const current = await call.current();
  if (!current) return refusal(401, "UNAUTHORIZED");
  const { user, session } = current;
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

/** Sends a code when called without one. With a code it starts the grace period and signs out. */
export async function deleteUser(
  { accountDeletion, isSecure }: OwnOptions,
  call: GatewayCall,
  { otp }: { otp?: string },
): Promise<GatewayResult> {
  const { info, language } = call;
  const current = await call.current();
  if (!current) return refusal(401, "UNAUTHORIZED");
  const asker = {
    userId: current.user.id,
    sessionId: current.session.id,
    language,
    request: describeOccasion(info),
  };
  const own = ownRequestOf(current, asker, info);
  const result = await (otp === undefined
    ? accountDeletion.request(own)
    : accountDeletion.start(own, otp));
  const headers = new Headers();
  if (!result.ok) return { ...result, headers };
  if (otp === undefined) return { ok: true, headers, body: { code: "CODE_SENT" } };
  headers.append("Set-Cookie", clearSessionCookie(isSecure));
  return { ok: true, headers, body: { code: "DELETION_STARTED" } };
}
