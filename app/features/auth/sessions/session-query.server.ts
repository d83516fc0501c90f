import { and, eq, gt, not, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isBannedAt } from "../../../db/ban.ts";
import type { Db } from "../../../db/db.server.ts";
import { member, passkey, session, siteSetting, user } from "../../../db/schema/schema.ts";
import { DAY_MS } from "../../../values/time.ts";
import { SESSION_ABSOLUTE_DAYS } from "./session-limits.ts";

/**
 * Statement that finds a session, its user and the manager who impersonates, if they are valid now. Organization and
 * team are null when the user is no longer in them. `termsVersion` is the version of the terms that users must accept.
 */
export function selectSession(db: Db, token: string, now: Date, termsVersion: SQL) {
  const manager = alias(user, "manager");
  const oldest = new Date(now.getTime() - SESSION_ABSOLUTE_DAYS * DAY_MS);
  // Not for users without further roles, so that their requests read no more rows.
  const isManager = sql`${user.role} <> 'user'`;
  return db
    .select({
      session: {
        id: session.id,
        createdAt: session.createdAt,
        expiresAt: session.expiresAt,
        updatedAt: session.updatedAt,
        lastSeenAt: session.lastSeenAt,
        authenticatedAt: session.authenticatedAt,
        passkeyProvedAt: session.passkeyProvedAt,
        passkeysSince: sql<
          number | null
        >`CASE WHEN ${isManager} THEN (SELECT ${siteSetting.managerPasskeysSince} FROM ${siteSetting}) END`,
        hasPasskey: sql<
          number | null
        >`CASE WHEN ${session.passkeyProvedAt} IS NULL THEN EXISTS (SELECT 1 FROM ${passkey} WHERE ${passkey.userId} = ${user.id}) END`,
        passkeyReleaseUntil: sql<number | null>`${user.passkeyReleaseUntil}`,
        impersonatedBy: session.impersonatedBy,
        ipAddress: session.ipAddress,
        userAgent: session.userAgent,
        activeOrganizationId: member.organizationId,
        activeTeamId: sql<
          string | null
        >`CASE WHEN ${member.id} IS NOT NULL THEN ${session.activeTeamId} END`,
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
        createdAt: user.createdAt,
        updatedAt: user.updatedAt,
        /** The version that the user has yet to accept. */
        termsDue: sql<string | null>`nullif(${termsVersion}, ${user.termsVersion})`,
      },
      manager: {
        name: sql<string | null>`${manager.name}`,
        email: sql<string | null>`${manager.email}`,
      },
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .leftJoin(manager, eq(manager.id, session.impersonatedBy))
    .leftJoin(
      member,
      and(eq(member.organizationId, session.activeOrganizationId), eq(member.userId, user.id)),
    )
    .where(
      and(
        eq(session.token, token),
        gt(session.expiresAt, now),
        gt(session.createdAt, oldest),
        not(isBannedAt(now)),
      ),
    )
    .limit(1);
}
