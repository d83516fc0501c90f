import { asc, eq } from "drizzle-orm";
import { readOf } from "../../db/read.server.ts";
import { team, teamMember } from "../../db/schema/schema.ts";
import type { ServerFacts } from "../../feature.server.ts";
import type { teams } from "./feature.ts";

export const teamsServer = {
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
