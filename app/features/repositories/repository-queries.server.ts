import { eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { organizationRepository, repository } from "../../db/schema/schema.ts";
import { exportRows } from "../../lists/query/export-rows.server.ts";
import { type ListQuery, type Range, SOURCES } from "../../lists/query/list-query.server.ts";
import { listOrder, onPage } from "../../lists/query/page.server.ts";
import { listTotal, readTotal } from "../../lists/query/total.server.ts";
import type { Repository } from "./repositories.server.ts";

/** Sort orders of the list; the first is the default. */
export const REPOSITORY_SORTS = ["updated", "created", "name"] as const;

const SORTS = {
  name: { column: repository.nameKey },
  created: { column: repository.createdAt },
  updated: { column: repository.updatedAt },
};

/** What a list shows of a repository. Its search key repeats all of its texts. */
const LISTED = {
  id: repository.id,
  name: repository.name,
  nameKey: repository.nameKey,
  link: repository.link,
  description: repository.description,
  createdAt: repository.createdAt,
  updatedAt: repository.updatedAt,
};

type ListedRepository = Pick<Repository, keyof typeof LISTED>;

type RepositoryListInput = {
  searchTerm: string;
  sort: (typeof REPOSITORY_SORTS)[number];
  direction: "asc" | "desc";
  after: ListQuery["after"];
  limit: number;
  /** Only the repositories that are shared into this organization. */
  organizationId?: string | undefined;
};

/** Returns one page of the matching repositories and their total, in one round trip. */
export async function listRepositories(db: Db, input: RepositoryListInput) {
  const { organizationId } = input;
  const shared = organizationId === undefined ? undefined : sharedInto(db, organizationId);
  const query: ListQuery = {
    ...input,
    sort: { ...SORTS[input.sort], direction: input.direction },
    filters: shared ? [shared.where] : [],
    range: shared,
    // One row more than the page shows whether there is a next page.
    limit: input.limit + 1,
  };
  const [totals, rows] = await db.batch([
    listTotal(db, SOURCES.repository, query),
    selectPage(db, query),
  ]);
  return {
    rows: rows.slice(0, input.limit),
    hasMore: rows.length > input.limit,
    total: readTotal(totals[0]?.count, query),
  };
}

/** An organization has at most 500 repositories, so a page fetches and sorts them. */
function sharedInto(db: Db, organizationId: string): Range {
  const shared = db
    .select({ id: organizationRepository.repositoryId })
    .from(organizationRepository)
    .where(eq(organizationRepository.organizationId, organizationId));
  return {
    where: inArray(repository.id, shared),
    alongOrder: [sql`+${repository.id} IN ${shared}`],
    isInOrder: false,
    rows: sql`SELECT ${repository}.rowid AS number FROM ${repository} WHERE ${repository.id} IN ${shared}`,
  };
}

function selectPage(db: Db, query: ListQuery) {
  return db
    .select(LISTED)
    .from(repository)
    .where(onPage(SOURCES.repository, query))
    .orderBy(...listOrder(SOURCES.repository, query))
    .limit(query.limit);
}

/** Yields all repositories that match a search, newest first, in chunks, for an export. */
export function exportRepositories(db: Db, searchTerm: string) {
  const select = (after: ListQuery["after"], limit: number) =>
    selectPage(db, {
      searchTerm,
      sort: { ...SORTS.created, direction: "desc" },
      filters: [],
      after,
      limit,
    });
  return exportRows(select, ({ id, name, link, description, createdAt, updatedAt }) => [
    id,
    name,
    link,
    description,
    createdAt,
    updatedAt,
  ]);
}

/** Returns the cursor value of a row in the given sort order. */
export function repositoryCursor(row: ListedRepository, sort: (typeof REPOSITORY_SORTS)[number]) {
  const values = {
    name: row.nameKey,
    created: row.createdAt.getTime(),
    updated: row.updatedAt.getTime(),
  };
  return { value: values[sort], id: row.id };
}
