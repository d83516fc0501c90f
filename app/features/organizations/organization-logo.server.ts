import { and, eq } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { member, organization } from "../../db/schema/schema.ts";

/** Returns true when an organization with this logo has the user as a member. */
export async function hasLogo(db: Db, userId: string, logo: string): Promise<boolean> {
  const rows = await db
    .select({ id: organization.id })
    .from(member)
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(and(eq(member.userId, userId), eq(organization.logo, logo)));
  return rows.length > 0;
}
