import { and, eq, sql } from "drizzle-orm";
import { member, organization } from "../../../db/schema/schema.ts";
import { idOf, isKey, type OrganizationCall } from "../standing.server.ts";

/** Columns of an organization, as the plugin answers it. */
export const ORGANIZATION = {
  id: organization.id,
  name: organization.name,
  slug: organization.slug,
  logo: organization.logo,
  metadata: organization.metadata,
  createdAt: organization.createdAt,
};

/** Statement that finds the organization with the actor's role in it; no row without a membership. */
export function selectOwn({ db, actor, key }: OrganizationCall) {
  return db
    .select({ ...ORGANIZATION, version: organization.version, role: member.role })
    .from(organization)
    .innerJoin(
      member,
      and(eq(member.organizationId, organization.id), eq(member.userId, actor.actorId)),
    )
    .where(isKey(key));
}

/** SQL expression: the organization's id if the actor is a member, else NULL, so that a query finds nothing. */
export function ownIdOf({ key, actor }: OrganizationCall) {
  return sql<string>`(
    SELECT ${member.organizationId} FROM ${member}
    WHERE ${member.organizationId} = ${idOf(key)} AND ${member.userId} = ${actor.actorId}
  )`;
}
