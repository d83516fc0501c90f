import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { hasAdminRole } from "./admin-role.ts";
import { isBannedAt } from "./ban.ts";
import { invitation, invitationLink, member, organization, user } from "./schema/schema.ts";

/** Roles of members who may invite; a test compares them with the table of permissions. */
export const INVITING_ROLES = ["owner", "admin"] as const;

const inviter = alias(user, "inviter");
const standing = alias(member, "standing");

type Invited = typeof invitation | typeof invitationLink;

/** SQL condition: the organization of a row is neither disabled nor being deleted. */
function isOfOpenOrganization({ organizationId }: Invited): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${organization}
    WHERE ${organization.id} = ${organizationId}
      AND ${organization.disabledAt} IS NULL AND ${organization.deletionDueAt} IS NULL
  )`;
}

/**
 * SQL condition: the inviter of a row is neither banned nor leaving, and is still a member who may
 * invite with its role, which for a link is the role member. `also` narrows the inviter further.
 */
function isByStandingInviter(of: Invited, now: Date, also: SQL = sql`true`): SQL {
  const mayGive =
    "role" in of ? sql`(${standing.role} = 'owner' OR ${of.role} IS NOT 'owner')` : sql`true`;
  return sql`EXISTS (
    SELECT 1 FROM ${member} AS standing JOIN ${user} AS inviter ON ${inviter.id} = ${standing.userId}
    WHERE ${standing.organizationId} = ${of.organizationId}
      AND ${standing.userId} = ${of.inviterId}
      AND ${standing.role} IN ${INVITING_ROLES}
      AND ${mayGive}
      AND ${inviter.deletionDueAt} IS NULL AND NOT ${isBannedAt(now, inviter)}
      AND ${also}
  )`;
}

/** SQL condition: a row of `invitation` can lead into its organization now, whoever it is for. */
export function isValid(now: Date): SQL {
  return sql`(${isOfOpenOrganization(invitation)} AND ${isByStandingInviter(invitation, now)})`;
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
  return isByStandingInviter(invitation, now, hasAdminRole(inviter.role));
}

/** SQL condition: a row of `invitation_link` is valid now. `HAS_PLACE` checks its free places. */
export function isLinkOpen(now: Date): SQL {
  return sql`(
    ${invitationLink.expiresAt} > ${now.getTime()}
    AND ${isOfOpenOrganization(invitationLink)} AND ${isByStandingInviter(invitationLink, now)}
  )`;
}

/** SQL condition: a row of `invitation_link` has a place left. */
export const HAS_PLACE: SQL = sql`${invitationLink.uses} < ${invitationLink.maxUses}`;
