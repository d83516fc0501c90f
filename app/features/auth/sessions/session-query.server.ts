import { and, eq, gt, not, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isBannedAt } from "../../../db/ban.ts";
import type { Db } from "../../../db/db.server.ts";
import {
  member,
  passkey,
  session,
  siteSetting,
  teamMember,
  user,
} from "../../../db/schema/schema.ts";
import { DAY_MS } from "../../../values/time.ts";
import { SESSION_ABSOLUTE_DAYS } from "./session-limits.ts";

/** A row of `selectSession`. */
export type SessionRow = Awaited<ReturnType<typeof selectSession>>[number];

/**
 * Statement that finds a session, its user and the manager who impersonates, if they are valid now. Organization and
 * team are null when the user is no longer in them. `termsVersion` is the version of the terms that users must accept.
 */
export function selectSession(db: Db, token: Placeholder, now: Placeholder, termsVersion: SQL) {
  const manager = alias(user, "manager");
  // Not for users without further roles, so that their requests read no more rows.
  const isManager = sql`${user.role} <> 'user'`;
  return db
    .select({
      // In a batch, columns with equal names would become one column.
      session: {
        id: sql<string>`${session.id}`.as("session_id"),
        createdAt: session.createdAt,
        expiresAt: session.expiresAt,
        updatedAt: session.updatedAt,
        lastSeenAt: session.lastSeenAt,
        authenticatedAt: session.authenticatedAt,
        passkeyProvedAt: session.passkeyProvedAt,
        passkeysSince: sql<
          number | null
        >`CASE WHEN ${isManager} THEN (SELECT ${siteSetting.managerPasskeysSince} FROM ${siteSetting}) END`.as(
          "passkeys_since",
        ),
        hasPasskey: sql<
          number | null
        >`CASE WHEN ${session.passkeyProvedAt} IS NULL THEN EXISTS (SELECT 1 FROM ${passkey} WHERE ${passkey.userId} = ${user.id}) END`.as(
          "has_passkey",
        ),
        passkeyReleaseUntil: sql<number | null>`${user.passkeyReleaseUntil}`.as(
          "passkey_release_until",
        ),
        impersonatedBy: session.impersonatedBy,
        activeOrganizationId: sql<string | null>`${member.organizationId}`.as("organization_id"),
        activeTeamId: sql<string | null>`${teamMember.teamId}`.as("team_id"),
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
        /** The version that the user has yet to accept. */
        termsDue: sql<string | null>`nullif(${termsVersion}, ${user.termsVersion})`.as("terms_due"),
      },
      manager: {
        name: sql<string | null>`${manager.name}`.as("manager_name"),
        email: sql<string | null>`${manager.email}`.as("manager_email"),
      },
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .leftJoin(manager, eq(manager.id, session.impersonatedBy))
    .leftJoin(
      member,
      and(eq(member.organizationId, session.activeOrganizationId), eq(member.userId, user.id)),
    )
    .leftJoin(
      teamMember,
      and(eq(teamMember.teamId, session.activeTeamId), eq(teamMember.userId, member.userId)),
    )
    .where(
      and(
        eq(session.token, token),
        gt(session.expiresAt, now),
        sql`${session.createdAt} > ${now} - ${sql.raw(String(SESSION_ABSOLUTE_DAYS * DAY_MS))}`,
        not(isBannedAt(now)),
      ),
    )
    .limit(1);
}
