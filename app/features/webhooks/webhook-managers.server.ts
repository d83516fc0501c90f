import { and, eq, inArray, isNull } from "drizzle-orm";
import { hasAdminRole } from "../../db/admin-role.ts";
import type { Db } from "../../db/db.server.ts";
import { member, user } from "../../db/schema/schema.ts";
import { rolesThatCan } from "../access/organization-permissions.ts";

/** Mails about one thing. */
const MOST_MAILS = 10;

/**
 * Finds the people who may change the webhooks of an organization, or of the site, as far as they get mails about them.
 */
export async function findWebhookManagers(db: Db, organizationId: string | null) {
  const isHere = and(eq(user.banned, false), isNull(user.deletionDueAt));
  const people = { id: user.id, email: user.email };
  if (organizationId === null) {
    // Only an admin may change settings; a test compares this with the table of permissions.
    const isAdmin = hasAdminRole(user.role);
    return db.select(people).from(user).where(and(isAdmin, isHere)).limit(MOST_MAILS);
  }
  const isOwner = inArray(member.role, rolesThatCan(["webhook", "update"]));
  return db
    .select(people)
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(and(eq(member.organizationId, organizationId), isOwner, isHere))
    .limit(MOST_MAILS);
}
