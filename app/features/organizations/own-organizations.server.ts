import { asc, eq, type Placeholder } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { member, organization, session } from "../../db/schema/schema.ts";
import { MAX_ORGANIZATIONS } from "./organization-limits.ts";

/** An organization of the current user, as the navigation shows it. */
export type OwnOrganization = Awaited<ReturnType<typeof selectOwnOrganizations>>[number];

/** Statement that finds the organizations of the user with this session, by name. */
export function selectOwnOrganizations(db: Db, token: Placeholder) {
  return db
    .select({
      id: organization.id,
      name: organization.name,
      slug: organization.slug,
      logo: organization.logo,
      role: member.role,
      disabledAt: organization.disabledAt,
      deletionDueAt: organization.deletionDueAt,
    })
    .from(session)
    .innerJoin(member, eq(member.userId, session.userId))
    .innerJoin(organization, eq(organization.id, member.organizationId))
    .where(eq(session.token, token))
    .orderBy(asc(organization.name), asc(organization.id))
    .limit(MAX_ORGANIZATIONS);
}
