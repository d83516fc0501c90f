import { type SQL, sql } from "drizzle-orm";
import { invitation, member } from "../../../db/schema/schema.ts";
import { rolesThatCan } from "../../access/organization-permissions.ts";

/**
 * SQL condition: a member may see and cancel a row of `invitation`. Of owners' invitations only
 * owners know, because only they make them.
 */
export function isShownTo(userId: string): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${member}
    WHERE ${member.organizationId} = ${invitation.organizationId} AND ${member.userId} = ${userId}
      AND ${member.role} IN ${rolesThatCan(["invitation", "create"])}
      AND (${member.role} = 'owner' OR ${invitation.role} IS NOT 'owner')
  )`;
}
