import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import type { FoldedServer } from "../../feature.server.ts";
import { list } from "../../lists/query/list.server.ts";
import type { Source } from "../../lists/query/list-query.server.ts";
import type { KeyHolder } from "../access/program.server.ts";
import { excerptOf } from "./excerpt.ts";
import type { Repository } from "./repositories.server.ts";
import { REPOSITORY_SORTS } from "./repository-limits.ts";
import { repository } from "./tables.server.ts";

export const REPOSITORY_SOURCE: Source = {
  table: repository,
  name: "repository",
  title: repository.name,
  first: repository.updatedAt,
};

/** What a list shows of a repository. Its search key repeats all of its texts. */
const LISTED = {
  id: repository.id,
  name: repository.name,
  nameKey: repository.nameKey,
  link: repository.link,
  description: repository.description,
  version: repository.version,
  createdAt: repository.createdAt,
  updatedAt: repository.updatedAt,
};

/** The repositories of both areas and of programs. */
export const repositoryList = list({
  source: REPOSITORY_SOURCE,
  select: (db, where, order) =>
    db
      .select(LISTED)
      .from(repository)
      .where(where)
      .orderBy(...order),
  sorts: REPOSITORY_SORTS,
  orders: {
    name: { by: repository.nameKey, valueOf: ({ nameKey }) => nameKey },
    created: { by: repository.createdAt, valueOf: ({ createdAt }) => createdAt.getTime() },
    updated: { by: repository.updatedAt, valueOf: ({ updatedAt }) => updatedAt.getTime() },
  },
  readFilters: () => ({ filters: undefined }),
  meets: () => ({ filters: [] }),
  show: ({ id, name, link, description, createdAt, updatedAt }) => ({
    id,
    name,
    link,
    excerpt: excerptOf(description),
    createdAt,
    updatedAt,
  }),
  file: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    link: ({ link }) => link,
    description: ({ description }) => description,
    created: ({ createdAt }) => createdAt,
    updated: ({ updatedAt }) => updatedAt,
  },
});

/** Finds a repository; with a condition, only one that meets it. */
export async function findRepositoryWithin(
  db: Db,
  id: string,
  within: SQL | undefined,
): Promise<Repository | undefined> {
  const [row] = await db
    .select()
    .from(repository)
    .where(and(eq(repository.id, id), within));
  return row;
}

/**
 * Returns the condition of the repositories that a key reads: those of its organization, or
 * undefined for all. Without a feature that gives organizations repositories they have none.
 */
export function readableBy(
  { ofOrganization }: FoldedServer,
  { organization }: KeyHolder,
): SQL | undefined {
  if (!organization) return undefined;
  return ofOrganization.repository?.(organization.id) ?? sql`FALSE`;
}
