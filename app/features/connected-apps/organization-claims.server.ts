import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { member, organization } from "../../db/schema/schema.ts";

/** The organization that an app is told of, and what the user is there. */
export type OrganizationClaim = { id: string; slug: string; name: string; role: string };

/** Returns what an app is told of an organization; undefined when the user is no member, or it is closed. */
export async function findOrganizationClaim(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<OrganizationClaim | undefined> {
  const [found] = await db
    .select({
      id: organization.id,
      slug: organization.slug,
      name: organization.name,
      role: member.role,
    })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(
      and(
        eq(member.organizationId, organizationId),
        eq(member.userId, userId),
        isNull(organization.disabledAt),
        isNull(organization.deletionDueAt),
      ),
    );
  return found;
}
