import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { member, organization, session, user } from "../../../db/schema/schema.ts";
import type { Actor } from "../../audit/audit.server.ts";
import { isKey, type OrganizationKey } from "../standing.server.ts";

type ActiveOrganization = Pick<
  typeof organization.$inferSelect,
  "id" | "name" | "slug" | "logo" | "metadata" | "createdAt"
>;

/**
 * Makes an organization of the user the active one of a session, or none with null. The next sign-in starts with it;
 * during an impersonation only the session changes. Error: ORGANIZATION_NOT_FOUND, also for users who are not members.
 */
export async function setActiveOrganization(
  db: Db,
  actor: Actor,
  sessionId: string,
  key: OrganizationKey | null,
): Promise<
  | { ok: true; organization: ActiveOrganization | null }
  | { ok: false; code: "ORGANIZATION_NOT_FOUND" }
> {
  const isOwn = and(eq(session.id, sessionId), eq(session.userId, actor.actorId));
  if (!key) {
    await db.batch([
      db.update(session).set({ activeOrganizationId: null, activeTeamId: null }).where(isOwn),
      rememberOrganization(db, actor, sessionId, sql`NULL`),
    ]);
    return { ok: true, organization: null };
  }
  const isMember = and(isKey(key), eq(member.userId, actor.actorId));
  const id = sql<string>`(
    SELECT ${organization.id} FROM ${organization} JOIN ${member} ON ${member.organizationId} = ${organization.id}
    WHERE ${isMember}
  )`;
  const [, , [found]] = await db.batch([
    db
      .update(session)
      .set({
        activeOrganizationId: id,
        // What is open in the organization stays when the organization does.
        activeTeamId: sql`CASE WHEN ${session.activeOrganizationId} = ${id} THEN ${session.activeTeamId} END`,
      })
      .where(and(isOwn, sql`${id} IS NOT NULL`)),
    rememberOrganization(db, actor, sessionId, id),
    db
      .select({
        id: organization.id,
        name: organization.name,
        slug: organization.slug,
        logo: organization.logo,
        metadata: organization.metadata,
        createdAt: organization.createdAt,
      })
      .from(organization)
      .innerJoin(member, eq(member.organizationId, organization.id))
      .where(isMember),
  ]);
  return found ? { ok: true, organization: found } : { ok: false, code: "ORGANIZATION_NOT_FOUND" };
}

/** Statement that keeps the organization for the next sign-in, if it is the one of the session now. */
function rememberOrganization(
  db: Db,
  { actorId, impersonatorId }: Actor,
  sessionId: string,
  id: SQL,
) {
  const isActive = sql`EXISTS (
    SELECT 1 FROM ${session} WHERE ${session.id} = ${sessionId} AND ${session.userId} = ${actorId}
      AND ${session.activeOrganizationId} IS ${id}
  )`;
  const isOther = sql`${user.lastOrganizationId} IS NOT ${id}`;
  const isOwnChoice = impersonatorId === null ? sql`true` : sql`false`;
  return db
    .update(user)
    .set({ lastOrganizationId: id })
    .where(and(eq(user.id, actorId), isOwnChoice, isActive, isOther));
}
