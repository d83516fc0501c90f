import { asc, eq, sql } from "drizzle-orm";
import { readOf } from "../../db/read.server.ts";
import { invitation } from "../../db/schema/schema.ts";
import type { ServerFacts } from "../../feature.server.ts";
import { TEAM_ENDPOINTS } from "./endpoints.server.ts";
import type { teams } from "./feature.ts";
import { sampleTeamsOf } from "./samples.server.ts";
import { team, teamMember } from "./tables.server.ts";
import { TEAM } from "./team-rows.server.ts";

export const teamsServer = {
  samples: sampleTeamsOf,
  organizationEndpoints: TEAM_ENDPOINTS,
  organizationParts: {
    teams: (id) =>
      readOf(
        (db) =>
          db
            .select({ ...TEAM, memberCount: team.memberCount })
            .from(team)
            .where(eq(team.organizationId, id))
            .orderBy(asc(team.createdAt), asc(team.id)),
        (rows) => rows,
      ),
  },
  ownData: {
    teams: ({ id }) =>
      readOf(
        (db) =>
          db
            .select({
              id: team.id,
              name: team.name,
              organizationId: team.organizationId,
              joinedAt: teamMember.createdAt,
            })
            .from(teamMember)
            .innerJoin(team, eq(team.id, teamMember.teamId))
            .where(eq(teamMember.userId, id)),
        (rows) => rows,
      ),
  },
  panels: {
    "invite-team": (id) =>
      readOf(
        (db) =>
          db
            .select({ id: team.id, name: team.name })
            .from(team)
            .where(eq(team.organizationId, id))
            .orderBy(sql`${team.name} COLLATE NOCASE`, asc(team.id)),
        (rows) => rows,
      ),
    "invitation-row-team": (id) =>
      readOf(
        (db) =>
          db.select({ id: team.id, name: team.name }).from(team).where(eq(team.organizationId, id)),
        (rows) => rows,
      ),
    "invitation-team": (id) =>
      readOf(
        (db) =>
          db
            .select({ name: team.name })
            .from(invitation)
            .innerJoin(team, eq(team.id, invitation.teamId))
            .where(eq(invitation.id, id)),
        ([found]) => found?.name,
      ),
    "office-teams": (id) =>
      readOf(
        (db) =>
          db
            .select({ id: team.id, name: team.name, memberCount: team.memberCount })
            .from(team)
            .where(eq(team.organizationId, id))
            .orderBy(asc(team.createdAt), asc(team.name)),
        (rows) => rows,
      ),
  },
} satisfies ServerFacts<typeof teams>;
