import type { Db } from "../../db/db.server.ts";
import { findCookie } from "../../http/cookies.ts";
import type { RequestInfo } from "../../http/request-context.ts";
import type { Keys } from "../../keys.server.ts";
import { describeError, log } from "../../log.ts";
import { can } from "../access/permissions.ts";
import type { CodeAsker, CodeRefusal } from "./account-codes.server.ts";
import { deviceCookieName } from "./device.server.ts";
import { type DoorCall, type DoorResult, refusal } from "./door-call.ts";
import { stopImpersonation } from "./impersonation.server.ts";
import { type CurrentSession, clearSessionCookie } from "./session.server.ts";

// What the auth door answers itself, under the names that better-auth's client knows.

export type OwnOptions = {
  db: Db;
  keys: Keys;
  isSecure: boolean;
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

/** Who is asking; null for nobody. */
export async function findOwnSession(call: DoorCall): Promise<DoorResult<CurrentSession | null>> {
  return { ok: true, headers: new Headers(), body: (await call.current()) ?? null };
}

/** What the users screen shows at the same search params, for those who may see it. */
export async function listUsers(options: OwnOptions, call: DoorCall): Promise<DoorResult> {
  try {
    const current = await call.current();
    if (!current) return refusal(401, "UNAUTHORIZED");
    if (!current.user.onboardedAt) return refusal(403, "NOT_ONBOARDED");
    if (!can(current.user, "user", "list")) {
      return refusal(403, "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS");
    }
    const body = await options.listUsers(new URL(call.request.url), call.info.now());
    return { ok: true, headers: new Headers(), body };
  } catch (error) {
    return failure(call, error);
  }
}

/** A client follows the address it is answered, as after every call that leads elsewhere (spec section 7). */
export async function stopImpersonating(options: OwnOptions, call: DoorCall): Promise<DoorResult> {
  const stopped = await stopImpersonation(options, call);
  if (!stopped.ok) return refusal(stopped.status, stopped.code);
  log("info", "auth.impersonation_stopped", { request: call.info.id });
  return { ok: true, headers: stopped.headers, body: { url: stopped.location, redirect: true } };
}

/** Signing out of somebody else's account is no more than leaving it; one's own is better-auth's to end. */
export async function leaveImpersonation(
  options: OwnOptions,
  call: DoorCall,
): Promise<DoorResult | undefined> {
  const current = await call.current();
  return current?.session.impersonatedBy ? stopImpersonating(options, call) : undefined;
}

/** Without a code sends one; with it starts the days of grace and signs out. */
export async function deleteUser(
  { leaving, isSecure }: OwnOptions,
  call: DoorCall,
  { otp }: { otp?: string },
): Promise<DoorResult> {
  const { request, info, language } = call;
  const current = await call.current();
  if (!current) return refusal(401, "UNAUTHORIZED");
  const asker = {
    userId: current.user.id,
    sessionId: current.session.id,
    language,
    deviceCookie: findCookie(request, deviceCookieName(isSecure)),
  };
  const own = { current, asker, info };
  try {
    const result = await (otp === undefined ? leaving.request(own) : leaving.start(own, otp));
    const headers = new Headers();
    if (!result.ok) return { ...result, headers };
    if (otp === undefined) return { ok: true, headers, body: { code: "CODE_SENT" } };
    headers.append("Set-Cookie", clearSessionCookie(isSecure));
    return { ok: true, headers, body: { code: "DELETION_STARTED" } };
  } catch (error) {
    return failure(call, error);
  }
}

function failure(call: DoorCall, error: unknown): DoorResult {
  log("error", "auth.failed", { request: call.info.id, ...describeError(error) });
  return refusal(500, "UNKNOWN_ERROR");
}
