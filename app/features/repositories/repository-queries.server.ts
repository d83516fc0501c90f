import { and, eq, type SQL } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { exportRows } from "../../lists/query/export-rows.server.ts";
import type { After, Order, Source } from "../../lists/query/list-query.server.ts";
import { onPage, orderBy, readPage } from "../../lists/query/page.server.ts";
import { choosePlan, type Plan, readTotal, selectTotal } from "../../lists/query/plan.server.ts";
import { searchFor } from "../../lists/query/search.server.ts";
import type { Repository } from "./repositories.server.ts";
import type { REPOSITORY_SORTS } from "./repository-limits.ts";
import { repository } from "./tables.server.ts";

export const REPOSITORY_SOURCE: Source = {
  table: repository,
  name: "repository",
  first: repository.updatedAt,
};

const ORDERS = {
  name: { by: repository.nameKey },
  created: { by: repository.createdAt },
  updated: { by: repository.updatedAt },
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

type ListedRepository = Pick<Repository, keyof typeof LISTED>;

type RepositoryListInput = {
  searchTerm: string;
  sort: (typeof REPOSITORY_SORTS)[number];
  direction: "asc" | "desc";
  after: After;
  limit: number;
  /** Only the repositories that meet it: those of an organization, which are few. */
  within?: SQL | undefined;
};

/** Returns one page of the matching repositories and their total. */
export async function listRepositories(db: Db, input: RepositoryListInput) {
  const { searchTerm, sort, direction, after, limit, within } = input;
  const order: Order = { ...ORDERS[sort], direction };
  const criteria = within
    ? { searchTerm: "", filters: [within, ...matching(searchTerm)] }
    : { searchTerm, filters: [] };
  const plan = await choosePlan(db, REPOSITORY_SOURCE, criteria, order);
  const [found, totals] = await db.batch([
    // One row more than the page shows whether there is a next page.
    selectRepositories(db, plan, order, { after, limit: limit + 1 }),
    selectTotal(db, REPOSITORY_SOURCE, plan),
  ]);
  const { rows, hasMore } = readPage(found, limit);
  return { rows, hasMore, total: readTotal(totals, plan.where !== undefined) };
}

/** Returns the condition of a term among few repositories, which needs no index. */
function matching(searchTerm: string): SQL[] {
  const search = searchFor(REPOSITORY_SOURCE, searchTerm);
  return search ? [search.matches] : [];
}

function selectRepositories(
  db: Db,
  plan: Plan,
  order: Order,
  page: { after: After; limit: number },
) {
  return db
    .select(LISTED)
    .from(repository)
    .where(onPage(repository.id, plan, order, page))
    .orderBy(...orderBy(order, repository.id));
}

/** Yields all repositories that match a search, newest first, in chunks, for an export. */
export async function* exportRepositories(db: Db, searchTerm: string) {
  const order: Order = { ...ORDERS.created, direction: "desc" };
  const plan = await choosePlan(db, REPOSITORY_SOURCE, { searchTerm, filters: [] }, order);
  yield* exportRows(
    (after, limit) => selectRepositories(db, plan, order, { after, limit }),
    ({ id, name, link, description, createdAt, updatedAt }) => [
      id,
      name,
      link,
      description,
      createdAt,
      updatedAt,
    ],
  );
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
