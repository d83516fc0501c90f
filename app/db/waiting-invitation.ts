import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hasAdminRole } from "./admin-role.ts";
import { isBannedAt } from "./ban.ts";
import { invitation, member, organization, user } from "./schema/schema.ts";

/** Roles of members who may invite; a test compares them with the table of permissions. */
export const INVITING_ROLES = ["owner", "admin"] as const;

const inviter = alias(user, "inviter");
const standing = alias(member, "standing");

/** SQL condition: the organization of a row of `invitation` is neither disabled nor being deleted. */
const IS_OF_OPEN_ORGANIZATION = sql`EXISTS (
  SELECT 1 FROM ${organization}
  WHERE ${organization.id} = ${invitation.organizationId}
    AND ${organization.disabledAt} IS NULL AND ${organization.deletionDueAt} IS NULL
)`;

/**
 * SQL condition: the inviter of a row of `invitation` is neither banned nor leaving, and is still a
 * member who may invite with its role. `also` narrows the inviter further.
 */
function isByStandingInviter(now: Date, also: SQL = sql`true`): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${member} AS standing JOIN ${user} AS inviter ON ${inviter.id} = ${standing.userId}
    WHERE ${standing.organizationId} = ${invitation.organizationId}
      AND ${standing.userId} = ${invitation.inviterId}
      AND ${standing.role} IN ${INVITING_ROLES}
      AND (${standing.role} = 'owner' OR ${invitation.role} IS NOT 'owner')
      AND ${inviter.deletionDueAt} IS NULL AND NOT ${isBannedAt(now, inviter)}
      AND ${also}
  )`;
}

/** SQL condition: a row of `invitation` can lead into its organization now, whoever it is for. */
export function isValid(now: Date): SQL {
  return sql`(${IS_OF_OPEN_ORGANIZATION} AND ${isByStandingInviter(now)})`;
}

/** SQL condition: a row of `invitation` waits for the answer of the person with this e-mail. */
export function isWaiting(email: string | SQLiteColumn, now: Date): SQL | undefined {
  return and(
    eq(invitation.email, email),
    eq(invitation.status, "pending"),
    gt(invitation.expiresAt, now),
    isValid(now),
  );
}

/** SQL condition: an admin of the site has made a row of `invitation`. */
export function isBySiteAdmin(now: Date): SQL {
  return isByStandingInviter(now, hasAdminRole(inviter.role));
}
