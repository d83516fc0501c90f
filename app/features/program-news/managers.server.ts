import { and, eq, inArray, isNull } from "drizzle-orm";
import { hasAdminRole } from "../../db/admin-role.ts";
import type { Db } from "../../db/db.server.ts";
import { member, user } from "../../db/schema/schema.ts";
import { roleMayDo } from "../access/organization-permissions.ts";
import { ORGANIZATION_ROLES, type OrganizationRole } from "../access/role-names.ts";

type Needs = readonly [resource: string, action: string];

/** A person who is told. Without a role in an organization, they manage the site. */
export type Manager = { id: string; email: string; role: OrganizationRole | null };

/** Mails about one thing. */
const MOST_MAILS = 10;

/**
 * Finds the people who may change one of the things of an organization, or the site's settings, as
 * far as they get mails about them.
 */
export async function findManagers(
  db: Db,
  organizationId: string | null,
  needs: readonly Needs[],
): Promise<Manager[]> {
  const isHere = and(eq(user.banned, false), isNull(user.deletionDueAt));
  const people = { id: user.id, email: user.email };
  if (organizationId === null) {
    // Only an admin may change settings; a test compares this with the table of permissions.
    const isAdmin = hasAdminRole(user.role);
    const admins = await db.select(people).from(user).where(and(isAdmin, isHere)).limit(MOST_MAILS);
    return admins.map((one) => ({ ...one, role: null }));
  }
  const roles = ORGANIZATION_ROLES.filter((role) => needs.some((one) => roleMayDo(role, one)));
  return db
    .select({ ...people, role: member.role })
    .from(member)
    .innerJoin(user, eq(user.id, member.userId))
    .where(and(eq(member.organizationId, organizationId), inArray(member.role, roles), isHere))
    .limit(MOST_MAILS);
}
