import { and, eq, lt, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { href } from "react-router";
import { repeatable } from "../../../db/bounded-d1.server.ts";
import { spendAndRecord } from "../../../db/change.server.ts";
import type { Db } from "../../../db/db.server.ts";
import { accountCode, session, user, verification } from "../../../db/schema/schema.ts";
import { findCookie, serializeCookie } from "../../../http/cookies.ts";
import { ACTIVITY_STEP_MS } from "../../../i18n/formats.ts";
import { FRESH_MINUTES } from "../../../values/limits.ts";
import { DAY_MS } from "../../../values/time.ts";
import { NO_DEMAND, type PasskeyStanding, passkeyStanding } from "../../access/passkey-demand.ts";
import { DEFAULT_ROLE } from "../../access/permissions.ts";
import { type Actor, ownEvent } from "../../audit/audit.server.ts";
import { cookiePrefix } from "./cookie-prefix.ts";
import {
  SESSION_ABSOLUTE_DAYS,
  SESSION_IDLE_DAYS,
  SESSION_REFRESH_DAYS,
} from "./session-limits.ts";
import { selectSession } from "./session-query.server.ts";
import { readSignedValue, type Secrets } from "./signed-value.ts";

/**
 * Minutes for filling in a form. Without JavaScript, what was typed is lost when the proof becomes
 * too old meanwhile.
 */
const FILL_MINUTES = 5;
/** Minutes that a change of the e-mail waits for its next code; the code's row stores its state. */
const CODE_KEPT_MINUTES = 60;

/** The session and user that screens may know. Never the token. */
export type CurrentSession = {
  session: {
    id: string;
    createdAt: Date;
    updatedAt: Date;
    expiresAt: Date;
    ipAddress: string | null;
    userAgent: string | null;
    /** Time of the last re-authentication; null means the sign-in itself. */
    authenticatedAt: Date | null;
    /** Time of the last proof by a passkey; null without one. */
    passkeyProvedAt: Date | null;
    impersonatedBy: string | null;
    /** For the banner: the manager's name or e-mail, and the latest end of the impersonation. */
    impersonation: { manager: string; endsAt: Date } | null;
    /** The organization and the team that the user works in; null without one. */
    activeOrganizationId: string | null;
    activeTeamId: string | null;
  } & PasskeyStanding;
  user: {
    id: string;
    name: string;
    email: string;
    emailVerified: boolean;
    image: string | null;
    avatar: string | null;
    /**
     * During an impersonation the role is always `user`, even if the user is promoted meanwhile. So
     * it is while a passkey is demanded: every permission check of a manager then fails.
     */
    role: string;
    onboardedAt: Date | null;
    language: string | null;
    theme: string | null;
    deletionDueAt: Date | null;
    createdAt: Date;
    updatedAt: Date;
    /** The version of the terms that the user has yet to accept; null when there is none. */
    termsDue: string | null;
  };
};

/** A session, and what follows from its use. */
export type SessionLookup = {
  current: CurrentSession;
  /** The cookie to set when the session was extended, or when a previous secret had signed it. */
  cookie: string | undefined;
  /** Write after the answer that updates when the user was last seen. */
  touch: (() => Promise<void>) | undefined;
};

type LookupOptions = {
  db: Db;
  secrets: Secrets;
  isSecure: boolean;
  /** People who are never asked for a passkey. */
  adminEmails: readonly string[];
  now: Date;
  /** SQL scalar: the version of the terms that users must accept. */
  termsVersion: SQL;
};

/**
 * Returns the session of a request and its user, in one round trip. Sessions of a banned user are invalid even when
 * they were not deleted, and no session lasts longer than 90 days. Undefined without a session.
 */
export async function findSession(
  request: Request,
  { db, secrets, isSecure, adminEmails, now, termsVersion }: LookupOptions,
): Promise<SessionLookup | undefined> {
  const name = sessionCookieName(isSecure);
  const cookie = findCookie(request, name);
  const signed = cookie && (await readSignedValue(cookie, secrets));
  if (!signed) return undefined;

  const [row] = await selectSession(db, signed.value, now, termsVersion);
  if (!row) return undefined;

  const { lastSeenAt, ...stored } = row.session;
  const { passkeysSince, hasPasskey, passkeyReleaseUntil, ...known } = stored;
  const { updatedAt, expiresAt } = known;
  const renew = (endsAt: number) =>
    serializeCookie(name, signed.renewed, {
      isSecure,
      maxAgeSeconds: Math.floor((endsAt - now.getTime()) / 1_000),
    });
  const renewed = signed.isOld ? renew(expiresAt.getTime()) : undefined;
  if (known.impersonatedBy !== null) {
    const name = row.manager.name || row.manager.email || "";
    return {
      current: {
        session: {
          ...known,
          impersonation: { manager: name, endsAt: expiresAt },
          ...NO_DEMAND,
        },
        user: { ...row.user, role: DEFAULT_ROLE },
      },
      // An impersonation is never extended, and does not count as the user being seen.
      cookie: renewed,
      touch: undefined,
    };
  }
  const standing = passkeyStanding({
    user: row.user,
    since: passkeysSince,
    isProven: known.passkeyProvedAt !== null,
    hasPasskey: hasPasskey === 1,
    releaseUntil: passkeyReleaseUntil,
    adminEmails,
    now,
  });
  const current = {
    session: { ...known, ...standing, impersonation: null },
    user: standing.passkeyDemand ? { ...row.user, role: DEFAULT_ROLE } : row.user,
  };
  const userId = row.user.id;
  const isDue = updatedAt.getTime() <= now.getTime() - SESSION_REFRESH_DAYS * DAY_MS;
  const isNews = (lastSeenAt?.getTime() ?? 0) <= now.getTime() - ACTIVITY_STEP_MS;
  const endsAt = Math.min(
    now.getTime() + SESSION_IDLE_DAYS * DAY_MS,
    known.createdAt.getTime() + SESSION_ABSOLUTE_DAYS * DAY_MS,
  );

  return {
    current,
    cookie: isDue ? renew(endsAt) : renewed,
    touch: isDue || isNews ? touch : undefined,
  };

  async function touch(): Promise<void> {
    await repeatable(() =>
      db.batch([
        db
          .update(session)
          .set({
            lastSeenAt: now,
            ...(isDue ? { expiresAt: new Date(endsAt), updatedAt: now } : {}),
          })
          .where(eq(session.id, known.id)),
        db.update(user).set({ lastSeenAt: now }).where(eq(user.id, userId)),
      ]),
    );
  }
}

/**
 * True when the session authenticated within the last `FRESH_MINUTES`: by a passkey, where managers
 * must use one and the user has one.
 */
export function isFresh(current: CurrentSession, now: Date): boolean {
  return freshMs(current, now) > 0;
}

/**
 * True when the last proof may become too old while a form is filled in. A screen without
 * JavaScript offers the proof first.
 */
export function isProofDue(current: CurrentSession, now: Date): boolean {
  return freshMs(current, now) <= FILL_MINUTES * 60_000;
}

function freshMs({ session: known }: CurrentSession, now: Date): number {
  const provedAt = known.provesByPasskey
    ? known.passkeyProvedAt
    : (known.authenticatedAt ?? known.createdAt);
  return (provedAt?.getTime() ?? 0) + FRESH_MINUTES * 60_000 - now.getTime();
}

/** Screen for each reason why a session may not open the product yet. */
export const ENTRY_SCREENS = {
  UNAUTHORIZED: href("/login"),
  ACCOUNT_BEING_DELETED: href("/restore"),
  NOT_ONBOARDED: href("/onboarding"),
  TERMS_NOT_ACCEPTED: href("/terms"),
} as const;

type Entry =
  | { ok: true; current: CurrentSession }
  | { ok: false; status: 401 | 403; code: keyof typeof ENTRY_SCREENS };

/**
 * Returns whether a session may open the product, or an error code for what must be done first. Screens redirect by it;
 * calls answer the code. A manager who impersonates a user is let in without a name and without accepted terms, because
 * only that user can give them.
 */
export function checkEntry(current: CurrentSession | undefined): Entry {
  if (!current) return { ok: false, status: 401, code: "UNAUTHORIZED" };
  if (isInGracePeriod(current)) return { ok: false, status: 403, code: "ACCOUNT_BEING_DELETED" };
  if (!current.user.onboardedAt && !current.session.impersonatedBy) {
    return { ok: false, status: 403, code: "NOT_ONBOARDED" };
  }
  if (current.user.termsDue && !current.session.impersonatedBy) {
    return { ok: false, status: 403, code: "TERMS_NOT_ACCEPTED" };
  }
  return { ok: true, current };
}

/** True when the user has asked for account deletion. It does not stop a manager who impersonates the user. */
export function isInGracePeriod({ user, session: known }: CurrentSession): boolean {
  return user.deletionDueAt !== null && !known.impersonatedBy;
}

/**
 * Spends a code and records the re-authentication of a session, both or neither. False when another request spent the
 * code first.
 */
export async function confirmSession(
  db: Db,
  { actorId, source }: Actor,
  sessionId: string,
  spend: BatchItem<"sqlite">,
): Promise<boolean> {
  const { isChanged } = await spendAndRecord(db, {
    spend,
    change: (isSpent) =>
      db
        .update(session)
        .set({ authenticatedAt: source.now(), provedBy: "code" })
        .where(and(eq(session.id, sessionId), isSpent)),
    event: ownEvent(source, actorId, "session.confirmed"),
  });
  return isChanged;
}

export function sessionCookieName(isSecure: boolean): string {
  return `${cookiePrefix(isSecure)}.session_token`;
}

/** Returns the Set-Cookie value that ends a session in the browser only, for when the server cannot end it. */
export function clearSessionCookie(isSecure: boolean): string {
  return serializeCookie(sessionCookieName(isSecure), "", { isSecure, maxAgeSeconds: 0 });
}

/** True when a request has a session cookie of ours. Reads no row, so the session itself may have ended. */
export async function hasSessionCookie(
  request: Request,
  { isSecure, ...secrets }: Secrets & { isSecure: boolean },
): Promise<boolean> {
  const cookie = findCookie(request, sessionCookieName(isSecure));
  return cookie !== undefined && (await readSignedValue(cookie, secrets)) !== undefined;
}

/** Deletes expired rows: sessions, and unused codes and sign-in states. */
export async function pruneSessions(db: Db, now: Date): Promise<void> {
  await db.batch([
    db
      .delete(accountCode)
      .where(lt(accountCode.expiresAt, new Date(now.getTime() - CODE_KEPT_MINUTES * 60_000))),
    db.delete(session).where(lt(session.expiresAt, now)),
    db.delete(verification).where(lt(verification.expiresAt, now)),
  ]);
}
