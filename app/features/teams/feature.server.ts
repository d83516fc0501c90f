import { eq } from "drizzle-orm";
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
} satisfies ServerFacts<typeof teams>;
