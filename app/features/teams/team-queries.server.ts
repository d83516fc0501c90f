import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import {
  ownId,
  pageOf,
  selectFrame,
  selectMembers,
  selectMoved,
  type Visitor,
} from "../organizations/organization-page.server.ts";
import { team, teamMember } from "./tables.server.ts";

/** Loads the teams, at most 20, by name; `isIn` is true for the visitor's own teams. */
export async function loadTeams(db: Db, visitor: Visitor) {
  const [frames, moved, teams] = await db.batch([
    selectFrame(db, visitor),
    selectMoved(db, visitor),
    db
      .select({
        id: team.id,
        name: team.name,
        memberCount: team.memberCount,
        createdAt: team.createdAt,
        isIn: sql<number>`${teamMember.id} IS NOT NULL`.mapWith(Boolean).as("is_in"),
      })
      .from(team)
      .leftJoin(
        teamMember,
        and(eq(teamMember.teamId, team.id), eq(teamMember.userId, visitor.userId)),
      )
      .where(eq(team.organizationId, ownId(visitor)))
      .orderBy(sql`${team.name} COLLATE NOCASE`, asc(team.id)),
  ]);
  return pageOf(frames, moved, { teams });
}

/**
 * Loads a team: its members, with the time when each joined it, and the other members of the
 * organization. `team` is undefined for an unknown team.
 */
export async function loadTeam(db: Db, visitor: Visitor, teamId: string) {
  const [frames, moved, teams, members, inTeam] = await db.batch([
    selectFrame(db, visitor),
    selectMoved(db, visitor),
    db
      .select({ id: team.id, name: team.name })
      .from(team)
      .where(and(eq(team.id, teamId), eq(team.organizationId, ownId(visitor)))),
    selectMembers(db, visitor),
    db
      .select({ userId: teamMember.userId, joinedAt: teamMember.createdAt })
      .from(teamMember)
      .where(eq(teamMember.teamId, teamId)),
  ]);
  const joined = new Map(inTeam.map(({ userId, joinedAt }) => [userId, joinedAt]));
  return pageOf(frames, moved, {
    team: teams[0],
    members: members.flatMap((one) => {
      const joinedAt = joined.get(one.userId);
      return joinedAt ? [{ ...one, joinedAt }] : [];
    }),
    others: members.filter(({ userId }) => !joined.has(userId)),
  });
}
