import { and, eq, gt, isNull, ne, type Placeholder, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/db.server.ts";
import type { Moment } from "../../db/prepared-batch.server.ts";
import { invitation, member, organization, session, user } from "../../db/schema/schema.ts";
import { isWaiting } from "../../db/waiting-invitation.ts";
import { ORGANIZATION_GRACE_DAYS } from "../../values/limits.ts";
import { DAY_MS } from "../../values/time.ts";

/** SQL: when the user last marked the notices as read; 0 for never. */
export const readAt = sql<number>`coalesce(${user.noticesReadAt}, 0)`;

/** SQL: when the deletion of an organization was asked for. */
const deletionAskedAt = sql<number>`(${organization.deletionDueAt} - ${sql.raw(String(ORGANIZATION_GRACE_DAYS * DAY_MS))})`;

/** The sessions of a user beside the current one. */
export const otherSession = alias(session, "other_session");

/**
 * SQL condition: `otherSession` began after the notices were last read, and is not the current session. Impersonations
 * are no sign-ins of the user.
 */
export function isNewSignIn(currentSessionId: SQL, now: Moment): SQL | undefined {
  return and(
    eq(otherSession.userId, user.id),
    ne(otherSession.id, currentSessionId),
    gt(otherSession.createdAt, readAt),
    gt(otherSession.expiresAt, now),
    isNull(otherSession.impersonatedBy),
  );
}

/** Statement that counts the notices that are newer than the user's last reading, by the token of the session. */
export function selectUnreadCount(db: Db, token: Placeholder, now: Placeholder) {
  const count = (from: SQL, where: SQL | undefined) =>
    sql`(SELECT count(*) FROM ${from} WHERE ${where})`;
  const invitations = count(
    sql`${invitation}`,
    and(isWaiting(user.email, now), gt(invitation.createdAt, readAt)),
  );
  const isNewer = (at: SQL | SQLiteColumn) => sql`CASE WHEN ${at} > ${readAt} THEN 1 END`;
  const own = and(eq(organization.id, member.organizationId), eq(member.userId, user.id));
  const organizations = sql`(
    SELECT count(${isNewer(deletionAskedAt)}) + count(${isNewer(organization.disabledAt)})
    FROM ${member} JOIN ${organization} ON ${own}
  )`;
  const signIns = count(sql`${session} AS other_session`, isNewSignIn(sql`${session.id}`, now));
  return db
    .select({ count: sql<number>`${invitations} + ${organizations} + ${signIns}` })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(eq(session.token, token));
}
