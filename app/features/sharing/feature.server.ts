import { eq, sql } from "drizzle-orm";
import { readOf } from "../../db/read.server.ts";
import { organization, organizationRepository, repository } from "../../db/schema/schema.ts";
import type { ServerFacts } from "../../feature.server.ts";
import type { sharing } from "./feature.ts";

export const sharingServer = {
  ownData: {
    sharedRepositories: ({ id }) =>
      readOf(
        (db) =>
          db
            .select({
              organization: sql<string>`${organization.name}`.as("organization_name"),
              repository: sql<string>`${repository.name}`.as("repository_name"),
              sharedAt: organizationRepository.createdAt,
            })
            .from(organizationRepository)
            .innerJoin(organization, eq(organization.id, organizationRepository.organizationId))
            .innerJoin(repository, eq(repository.id, organizationRepository.repositoryId))
            .where(eq(organizationRepository.sharedBy, id)),
        (rows) => rows,
      ),
  },
} satisfies ServerFacts<typeof sharing>;
