import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { session } from "../../db/schema/schema.ts";
import type { Actor } from "../audit/audit.server.ts";
import { team, teamMember } from "./tables.server.ts";

type TeamRefusal = {
  ok: false;
  code: "NO_ACTIVE_ORGANIZATION" | "TEAM_NOT_FOUND" | "USER_IS_NOT_A_MEMBER_OF_THE_TEAM";
};

type ActiveTeam = Omit<typeof team.$inferSelect, "memberCount">;

/**
 * Makes a team of the user in the active organization the active one of a session, or none with null. Errors:
 * NO_ACTIVE_ORGANIZATION, TEAM_NOT_FOUND for a team of another organization, and USER_IS_NOT_A_MEMBER_OF_THE_TEAM.
 */
export async function setActiveTeam(
  db: Db,
  { actorId }: Actor,
  sessionId: string,
  teamId: string | null,
): Promise<{ ok: true; team: ActiveTeam | null } | TeamRefusal> {
  const isOwn = and(eq(session.id, sessionId), eq(session.userId, actorId));
  if (teamId === null) {
    await db.update(session).set({ activeTeamId: null }).where(isOwn);
    return { ok: true, team: null };
  }
  const isInTeam = sql`EXISTS (
    SELECT 1 FROM ${team} JOIN ${teamMember} ON ${teamMember.teamId} = ${team.id}
    WHERE ${team.id} = ${teamId} AND ${team.organizationId} = ${session.activeOrganizationId}
      AND ${teamMember.userId} = ${actorId}
  )`;
  const isOfOrganization = and(
    eq(team.id, teamId),
    eq(team.organizationId, session.activeOrganizationId),
  );
  const [changed, [current], [found]] = await db.batch([
    db.update(session).set({ activeTeamId: teamId }).where(and(isOwn, isInTeam)),
    db.select({ organizationId: session.activeOrganizationId }).from(session).where(isOwn),
    db
      .select({
        id: team.id,
        name: team.name,
        organizationId: team.organizationId,
        createdAt: team.createdAt,
        updatedAt: team.updatedAt,
      })
      .from(session)
      .innerJoin(team, isOfOrganization)
      .where(isOwn),
  ]);
  if (!current?.organizationId) return { ok: false, code: "NO_ACTIVE_ORGANIZATION" };
  if (!found) return { ok: false, code: "TEAM_NOT_FOUND" };
  if (changed.meta.changes === 0) return { ok: false, code: "USER_IS_NOT_A_MEMBER_OF_THE_TEAM" };
  return { ok: true, team: found };
}
