import { and, eq, isNotNull, sql } from "drizzle-orm";
import { href } from "react-router";
import { z } from "zod";
import { hasAdminRole } from "../../../db/admin-role.ts";
import { isBannedAt } from "../../../db/ban.ts";
import { changeAndRecord } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { rowValues } from "../../../db/row-values.ts";
import { session, user } from "../../../db/schema/schema.ts";
import { findCookie, serializeCookie } from "../../../http/cookies.ts";
import type { RequestInfo } from "../../../http/request-context.ts";
import type { ErrorCode } from "../../../i18n/message-key.ts";
import type { Keys } from "../../../runtime/keys.server.ts";
import { describeError, log } from "../../../runtime/log.ts";
import { rolesOf } from "../../access/permissions.ts";
import { eventOf } from "../../audit/audit.server.ts";
import { cookiePrefix } from "../sessions/cookie-prefix.ts";
import { SESSION_IDLE_DAYS } from "../sessions/session-limits.ts";
import {
  type CurrentSession,
  clearSessionCookie,
  sessionCookieName,
} from "../sessions/sessions.server.ts";
import { signValue } from "../sessions/signed-value.ts";

const IMPERSONATION_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

export type ImpersonationOptions = { db: Db; keys: Keys; secret: string; isSecure: boolean };

type StartResult =
  | { ok: true; headers: Headers; sessionId: string }
  | { ok: false; error: "not_found" | "yourself" | "admin" | "banned" | "conflict" };

/** Content of the return cookie: the manager's own session cookie, kept encrypted beside the impersonated one. */
const ReturnCookie = z.object({ session: z.string(), userId: z.string(), cookie: z.string() });

/**
 * Starts an impersonation of one hour, in a session of its own. The statement that writes the session checks the
 * permission, so that no promotion, ban or end of the manager's session can happen in between. Errors: `not_found`,
 * `yourself`, `admin`, `banned`, and `conflict` when the manager is no longer a manager.
 */
export async function startImpersonation(
  { db, keys, secret, isSecure }: ImpersonationOptions,
  { request, info, current }: { request: Request; info: RequestInfo; current: CurrentSession },
  { userId, reason }: { userId: string; reason: string | null },
): Promise<StartResult> {
  const now = info.now();
  const id = crypto.randomUUID();
  const token = newToken();
  const row = rowValues(session, {
    id,
    token,
    userId,
    expiresAt: new Date(now.getTime() + IMPERSONATION_SECONDS * 1_000),
    ipAddress: info.clientIpAddress ?? null,
    userAgent: info.userAgent?.slice(0, 500) ?? null,
    place: info.location ?? null,
    impersonatedBy: current.user.id,
    activeOrganizationId: null,
    activeTeamId: null,
    // An impersonation is never a recent authentication of the user.
    authenticatedAt: new Date(0),
    passkeyProvedAt: null,
    passkeyProvedBy: null,
    provedBy: null,
    lastSeenAt: null,
    createdAt: now,
    updatedAt: now,
  });
  const isBanned = isBannedAt(now);
  const isAdmin = hasAdminRole(user.role);
  const isStillManager = sql`EXISTS (
    SELECT 1 FROM user WHERE id = ${current.user.id} AND ${isAdmin} AND NOT ${isBanned}
      AND EXISTS (SELECT 1 FROM session WHERE id = ${current.session.id} AND user_id = ${current.user.id})
  )`;

  const {
    isChanged,
    found: [target],
  } = await changeAndRecord(db, {
    change: db.insert(session).select(sql`
      SELECT ${row} FROM user
      WHERE id = ${userId} AND id <> ${current.user.id} AND NOT ${isAdmin} AND NOT ${isBanned} AND ${isStillManager}
    `),
    event: eventOf(info, {
      action: "user.impersonated",
      actorId: current.user.id,
      target: { type: "user", id: userId },
      details: { reason },
    }),
    after: {
      found: db
        .select({ role: user.role, isBanned: sql<number>`${isBanned}`.as("is_banned") })
        .from(user)
        .where(eq(user.id, userId)),
    },
  });
  if (!isChanged) {
    if (!target) return { ok: false, error: "not_found" };
    if (userId === current.user.id) return { ok: false, error: "yourself" };
    if (rolesOf(target).includes("admin")) return { ok: false, error: "admin" };
    return { ok: false, error: target.isBanned ? "banned" : "conflict" };
  }

  const cookie = findCookie(request, sessionCookieName(isSecure)) ?? "";
  const returnCookie = await keys.encrypt(
    "impersonation-return",
    JSON.stringify({ session: id, userId, cookie }),
  );
  return {
    ok: true,
    sessionId: id,
    headers: withCookies(
      serializeCookie(sessionCookieName(isSecure), await signValue(token, secret), {
        isSecure,
        maxAgeSeconds: IMPERSONATION_SECONDS,
      }),
      serializeCookie(returnCookieName(isSecure), returnCookie, {
        isSecure,
        maxAgeSeconds: SESSION_IDLE_DAYS * DAY_SECONDS,
      }),
    ),
  };
}

/** Page after the end of a session, the cookies to set, and whether the server ended the session too. */
export type Return = { location: string; headers: Headers; isEnded: boolean };

type StopResult = ({ ok: true } & Return) | { ok: false; status: number; code: ErrorCode };

/**
 * Ends an impersonation and restores the manager's session; the next page checks whether that session is still valid.
 * Also works after the impersonation has expired. When the database fails, `isEnded` is false and the impersonation
 * ends only in this browser: a copy of its cookie works until the hour is over. Errors: `UNAUTHORIZED`,
 * `NOT_IMPERSONATING`.
 */
export async function stopImpersonation(
  { db, keys, isSecure }: Omit<ImpersonationOptions, "secret">,
  call: {
    request: Request;
    info: RequestInfo;
    current: () => Promise<CurrentSession | undefined>;
  },
): Promise<StopResult> {
  const { request, info } = call;
  const returnCookie = await findReturnCookie(keys, request, isSecure);
  let isEnded = true;
  const current = await call.current().catch((error) => {
    if (!returnCookie) throw error;
    warn(error);
    return undefined;
  });
  if (!current) {
    if (!returnCookie) return { ok: false, status: 401, code: "UNAUTHORIZED" };
    return { ok: true, isEnded, ...returnOf(returnCookie, isSecure) };
  }
  const { id, impersonatedBy } = current.session;
  if (!impersonatedBy) return { ok: false, status: 400, code: "NOT_IMPERSONATING" };

  await changeAndRecord(db, {
    change: db.delete(session).where(and(eq(session.id, id), isNotNull(session.impersonatedBy))),
    event: eventOf(info, {
      action: "user.impersonation_stopped",
      actorId: impersonatedBy,
      target: { type: "user", id: current.user.id },
    }),
  }).catch(warn);
  const own = returnCookie?.session === id ? returnCookie : undefined;
  if (isEnded) log("info", "auth.impersonation_stopped", { request: info.id });
  return { ok: true, isEnded, ...returnOf(own, isSecure) };

  function warn(error: unknown): void {
    isEnded = false;
    log("error", "impersonation.not_stopped", { request: info.id, ...describeError(error) });
  }
}

/** Returns the redirect to the manager's session for a browser whose impersonation has ended or expired. */
export async function findReturn(
  { keys, isSecure }: Pick<ImpersonationOptions, "keys" | "isSecure">,
  request: Request,
): Promise<Return | undefined> {
  const returnCookie = await findReturnCookie(keys, request, isSecure);
  return returnCookie && { isEnded: true, ...returnOf(returnCookie, isSecure) };
}

export function returnCookieName(isSecure: boolean): string {
  return `${cookiePrefix(isSecure)}.admin_session`;
}

/** Returns the Set-Cookie value that deletes the return cookie. */
export function clearReturnCookie(isSecure: boolean): string {
  return serializeCookie(returnCookieName(isSecure), "", { isSecure, maxAgeSeconds: 0 });
}

async function findReturnCookie(
  keys: Keys,
  request: Request,
  isSecure: boolean,
): Promise<z.infer<typeof ReturnCookie> | undefined> {
  const sealed = findCookie(request, returnCookieName(isSecure));
  if (!sealed) return undefined;
  try {
    return ReturnCookie.parse(JSON.parse(await keys.decrypt("impersonation-return", sealed)));
  } catch {
    return undefined;
  }
}

function returnOf(
  returnCookie: z.infer<typeof ReturnCookie> | undefined,
  isSecure: boolean,
): Omit<Return, "isEnded"> {
  if (!returnCookie) {
    const headers = withCookies(clearSessionCookie(isSecure), clearReturnCookie(isSecure));
    return { location: href("/login"), headers };
  }
  const own = serializeCookie(sessionCookieName(isSecure), returnCookie.cookie, {
    isSecure,
    maxAgeSeconds: SESSION_IDLE_DAYS * DAY_SECONDS,
  });
  return {
    location: href("/manager/users/:id", { id: returnCookie.userId }),
    headers: withCookies(own, clearReturnCookie(isSecure)),
  };
}

function withCookies(...cookies: string[]): Headers {
  return new Headers(cookies.map((cookie): [string, string] => ["Set-Cookie", cookie]));
}

function newToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
