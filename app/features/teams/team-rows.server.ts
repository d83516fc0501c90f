import { team, teamMember } from "./tables.server.ts";

/** Columns of a team, as better-auth's client knows them. */
export const TEAM = {
  id: team.id,
  name: team.name,
  organizationId: team.organizationId,
  createdAt: team.createdAt,
  updatedAt: team.updatedAt,
};

/** Returns a team for a client. */
export function shownTeam(row: Omit<typeof team.$inferSelect, "memberCount">) {
  const { id, name, organizationId, createdAt, updatedAt } = row;
  return { id, name, organizationId, createdAt, updatedAt };
}

/** Columns of a member of a team, for a client. */
export const TEAM_MEMBER = {
  id: teamMember.id,
  teamId: teamMember.teamId,
  userId: teamMember.userId,
  createdAt: teamMember.createdAt,
};
