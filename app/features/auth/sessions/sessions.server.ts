import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "../../../db/db.server.ts";
import { accountCode, session, user, verification } from "../../../db/schema/schema.ts";
import { findCookie, serializeCookie } from "../../../http/cookies.ts";
import { DEFAULT_ROLE } from "../../access/permissions.ts";
import { type Actor, auditChange } from "../../audit/audit.server.ts";
import { cookiePrefix } from "./cookie-prefix.ts";
import {
  SESSION_ABSOLUTE_DAYS,
  SESSION_IDLE_DAYS,
  SESSION_REFRESH_DAYS,
} from "./session-limits.ts";

const DAY_MS = 86_400_000;
const LAST_SEEN_INTERVAL_MS = 3_600_000;
/** Older than this, a session is asked for a code before what cannot be taken back. */
const FRESH_MINUTES = 15;
/** A change of address waits an hour for its next code; its row is what remembers it. */
const CODE_KEPT_MINUTES = 60;

const encoder = new TextEncoder();

/** Who is asking: what screens may know of a person and their session. Never the token. */
export type CurrentSession = {
  session: {
    id: string;
    createdAt: Date;
    /** When the person behind it last proved to be there; the sign-in itself when null. */
    authenticatedAt: Date | null;
    /** The manager who acts as this person. */
    impersonatedBy: string | null;
    /** What the banner says of it: the manager's name, or their address, and when it is over at the latest. */
    impersonation: { manager: string; endsAt: Date } | null;
  };
  user: {
    id: string;
    name: string;
    email: string;
    emailVerified: boolean;
    image: string | null;
    avatar: string | null;
    /** Of whoever is impersonated always a user's: a person promoted meanwhile opens nothing more to the manager. */
    role: string;
    onboardedAt: Date | null;
    language: string | null;
    theme: string | null;
    deletionDueAt: Date | null;
  };
};

export type SessionLookup = {
  current: CurrentSession;
  /** Set when the session was prolonged: the cookie to send along. */
  cookie: string | undefined;
  /** What to write after the answer: that the person was here. */
  touch: (() => Promise<void>) | undefined;
};

type LookupOptions = { db: Db; secret: string; isSecure: boolean; now: Date };

/**
 * The session of a request and its user, in one round trip. A banned user's sessions are dead even when they were
 * not deleted, and no session outlives 90 days. Undefined when there is none.
 */
export async function findSession(
  request: Request,
  { db, secret, isSecure, now }: LookupOptions,
): Promise<SessionLookup | undefined> {
  const name = sessionCookieName(isSecure);
  const cookie = findCookie(request, name);
  const token = cookie && (await verifySignedValue(cookie, secret));
  if (!token) return undefined;

  const manager = alias(user, "manager");
  const [row] = await db
    .select({
      session: {
        id: session.id,
        createdAt: session.createdAt,
        expiresAt: session.expiresAt,
        updatedAt: session.updatedAt,
        lastSeenAt: session.lastSeenAt,
        authenticatedAt: session.authenticatedAt,
        impersonatedBy: session.impersonatedBy,
      },
      user: {
        id: user.id,
        name: user.name,
        email: user.email,
        emailVerified: user.emailVerified,
        image: user.image,
        avatar: user.avatar,
        role: user.role,
        onboardedAt: user.onboardedAt,
        language: user.language,
        theme: user.theme,
        deletionDueAt: user.deletionDueAt,
      },
      manager: { name: manager.name, email: manager.email },
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .leftJoin(manager, eq(manager.id, session.impersonatedBy))
    .where(
      and(
        eq(session.token, token),
        gt(session.expiresAt, now),
        gt(session.createdAt, new Date(now.getTime() - SESSION_ABSOLUTE_DAYS * DAY_MS)),
        sql`(${user.banned} = 0 OR ${user.banExpires} <= ${now.getTime()})`,
      ),
    )
    .limit(1);
  if (!row) return undefined;

  const { updatedAt, lastSeenAt, expiresAt, ...known } = row.session;
  if (known.impersonatedBy !== null) {
    const name = row.manager?.name || row.manager?.email || "";
    return {
      current: {
        session: { ...known, impersonation: { manager: name, endsAt: expiresAt } },
        user: { ...row.user, role: DEFAULT_ROLE },
      },
      // An impersonation is never prolonged, and the person was not here.
      cookie: undefined,
      touch: undefined,
    };
  }
  const current = { session: { ...known, impersonation: null }, user: row.user };
  const userId = row.user.id;
  const isDue = updatedAt.getTime() <= now.getTime() - SESSION_REFRESH_DAYS * DAY_MS;
  const isNews = (lastSeenAt?.getTime() ?? 0) <= now.getTime() - LAST_SEEN_INTERVAL_MS;
  const endsAt = Math.min(
    now.getTime() + SESSION_IDLE_DAYS * DAY_MS,
    known.createdAt.getTime() + SESSION_ABSOLUTE_DAYS * DAY_MS,
  );

  return {
    current,
    cookie: isDue
      ? serializeCookie(name, cookie, {
          isSecure,
          maxAgeSeconds: Math.floor((endsAt - now.getTime()) / 1_000),
        })
      : undefined,
    touch: isDue || isNews ? touch : undefined,
  };

  async function touch(): Promise<void> {
    await db.batch([
      db
        .update(session)
        .set({
          lastSeenAt: now,
          ...(isDue ? { expiresAt: new Date(endsAt), updatedAt: now } : {}),
        })
        .where(eq(session.id, known.id)),
      db.update(user).set({ lastSeenAt: now }).where(eq(user.id, userId)),
    ]);
  }
}

/** Whether the person behind a session proved to be there within the last 15 minutes. */
export function isFresh({ session: known }: CurrentSession, now: Date): boolean {
  const provedAt = known.authenticatedAt ?? known.createdAt;
  return now.getTime() - provedAt.getTime() < FRESH_MINUTES * 60_000;
}

type Entry =
  | { ok: true; current: CurrentSession }
  | {
      ok: false;
      status: 401 | 403;
      code: "UNAUTHORIZED" | "ACCOUNT_BEING_DELETED" | "NOT_ONBOARDED";
    };

/**
 * Whether a session opens the product, or what has to be done first. Screens redirect there; calls answer the code.
 * A manager who impersonates somebody without a name is let in: the name is that person's to give.
 */
export function checkEntry(current: CurrentSession | undefined): Entry {
  if (!current) return { ok: false, status: 401, code: "UNAUTHORIZED" };
  if (isInGracePeriod(current)) return { ok: false, status: 403, code: "ACCOUNT_BEING_DELETED" };
  if (!current.user.onboardedAt && !current.session.impersonatedBy) {
    return { ok: false, status: 403, code: "NOT_ONBOARDED" };
  }
  return { ok: true, current };
}

/** Whether the person has asked for the account's deletion. It does not stop a manager who impersonates them. */
export function isInGracePeriod({ user, session: known }: CurrentSession): boolean {
  return user.deletionDueAt !== null && !known.impersonatedBy;
}

/**
 * Spends a code and records that the person behind a session has just proved to be there, both or neither. False when
 * another request spent the code first.
 */
export async function confirmSession(
  db: Db,
  { actorId, source }: Actor,
  sessionId: string,
  spend: BatchItem<"sqlite">,
): Promise<boolean> {
  const [, confirmed] = await db.batch([
    spend,
    db
      .update(session)
      .set({ authenticatedAt: source.now() })
      .where(and(eq(session.id, sessionId), sql`changes() > 0`)),
    auditChange(db, source, {
      action: "session.confirmed",
      actorId,
      target: { type: "user", id: actorId },
    }),
  ]);
  return confirmed.meta.changes > 0;
}

export function sessionCookieName(isSecure: boolean): string {
  return `${cookiePrefix(isSecure)}.session_token`;
}

/** Ends a session in the browser alone, for when the server cannot end it. */
export function clearSessionCookie(isSecure: boolean): string {
  return serializeCookie(sessionCookieName(isSecure), "", { isSecure, maxAgeSeconds: 0 });
}

/** True when a request carries a session cookie of ours. Reads no row: the session itself may be over. */
export async function hasSessionCookie(
  request: Request,
  { secret, isSecure }: { secret: string; isSecure: boolean },
): Promise<boolean> {
  const cookie = findCookie(request, sessionCookieName(isSecure));
  return cookie !== undefined && (await verifySignedValue(cookie, secret)) !== undefined;
}

/** The value of a cookie that better-auth signed: `<value>.<base64 of HMAC-SHA-256>`. Undefined when it did not. */
async function verifySignedValue(cookie: string, secret: string): Promise<string | undefined> {
  const dot = cookie.lastIndexOf(".");
  if (dot < 1) return undefined;
  const value = cookie.slice(0, dot);
  try {
    const signature = Uint8Array.from(atob(cookie.slice(dot + 1)), (char) => char.charCodeAt(0));
    const key = await signingKey(secret, "verify");
    const isGenuine = await crypto.subtle.verify("HMAC", key, signature, encoder.encode(value));
    return isGenuine ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A value as better-auth signs it into a cookie. */
export async function signValue(value: string, secret: string): Promise<string> {
  const key = await signingKey(secret, "sign");
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(value));
  return `${value}.${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

function signingKey(secret: string, usage: "sign" | "verify"): Promise<CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [usage]);
}

/** Deletes what has expired: sessions past their end, and codes and sign-in states nobody came back for. */
export async function pruneSessions(db: Db, now: Date): Promise<void> {
  await db.batch([
    db
      .delete(accountCode)
      .where(lt(accountCode.expiresAt, new Date(now.getTime() - CODE_KEPT_MINUTES * 60_000))),
    db.delete(session).where(lt(session.expiresAt, now)),
    db.delete(verification).where(lt(verification.expiresAt, now)),
  ]);
}
