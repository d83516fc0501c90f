import { and, asc, desc, eq, sql } from "drizzle-orm";
import { readOf } from "../../db/read.server.ts";
import { member, organization } from "../../db/schema/schema.ts";
import type { ServerFacts } from "../../feature.server.ts";
import { readRecentRepositories } from "../repositories/recent-repositories.server.ts";
import { repository } from "../repositories/tables.server.ts";
import { SHARING_API } from "./api.ts";
import type { sharing } from "./feature.ts";
import { sampleSharings } from "./samples.server.ts";
import { selectSharedRepositories } from "./shared-repositories.server.ts";
import { OFFICE_FORMS, REPOSITORY_CHANGES } from "./sharing-change.server.ts";
import { organizationRepository } from "./tables.server.ts";

/** Organizations that the screen of a repository shows. */
const SHOWN_ORGANIZATIONS = 20;

/** Repositories that the overview of an organization shows. */
const SHOWN_REPOSITORIES = 5;

export const sharingServer = {
  samples: sampleSharings,
  api: SHARING_API,
  officeForms: OFFICE_FORMS,
  pageChanges: REPOSITORY_CHANGES,
  ofOrganization: {
    repository: (organizationId) => sql`${repository.id} IN (
      SELECT ${organizationRepository.repositoryId} FROM ${organizationRepository}
      WHERE ${organizationRepository.organizationId} = ${organizationId}
    )`,
  },
  organizationCalls: {
    listRepositories: ["repository", "read"],
    getRepository: ["repository", "read"],
  },
  panels: {
    "organization-repositories": (id) =>
      readOf(
        (db) =>
          db
            .select({
              id: repository.id,
              name: repository.name,
              link: repository.link,
              count: sql<number>`count(*) OVER ()`.as("count"),
            })
            .from(organizationRepository)
            .innerJoin(repository, eq(repository.id, organizationRepository.repositoryId))
            .where(eq(organizationRepository.organizationId, id))
            .orderBy(
              desc(organizationRepository.createdAt),
              sql`${repository.name} COLLATE NOCASE`,
              asc(repository.id),
            )
            .limit(SHOWN_REPOSITORIES),
        (rows) => ({
          repositories: rows.map(({ id, name, link }) => ({ id, name, link })),
          count: rows[0]?.count ?? 0,
        }),
      ),
    "office-repositories": (id) =>
      readOf(
        (db) =>
          db
            .select({ id: repository.id, name: repository.name })
            .from(organizationRepository)
            .innerJoin(repository, eq(repository.id, organizationRepository.repositoryId))
            .where(eq(organizationRepository.organizationId, id))
            .orderBy(asc(repository.nameKey)),
        (rows) => rows,
      ),
    "home-repositories": (id) =>
      readOf((db) => selectSharedRepositories(db, id), readRecentRepositories),
    "repository-organizations": (id) =>
      readOf(
        (db) =>
          db
            .select({
              id: organization.id,
              name: organization.name,
              logo: organization.logo,
              disabledAt: organization.disabledAt,
              deletionDueAt: organization.deletionDueAt,
            })
            .from(organizationRepository)
            .innerJoin(organization, eq(organization.id, organizationRepository.organizationId))
            .where(eq(organizationRepository.repositoryId, id))
            .orderBy(asc(organization.name), asc(organization.id))
            // One more, which tells whether there are others.
            .limit(SHOWN_ORGANIZATIONS + 1),
        (rows) => ({
          shown: rows.slice(0, SHOWN_ORGANIZATIONS),
          hasMore: rows.length > SHOWN_ORGANIZATIONS,
        }),
      ),
    "own-organizations": (id, reader) =>
      readOf(
        (db) =>
          db
            .select({ slug: organization.slug, name: organization.name })
            .from(member)
            .innerJoin(
              organizationRepository,
              and(
                eq(organizationRepository.organizationId, member.organizationId),
                eq(organizationRepository.repositoryId, id),
              ),
            )
            .innerJoin(organization, eq(organization.id, member.organizationId))
            .where(eq(member.userId, reader.id))
            .orderBy(asc(organization.name), asc(organization.id)),
        (rows) => rows,
      ),
  },
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
