import { asc, desc, eq, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import type { Order } from "../../lists/query/list-query.server.ts";
import { onPage, orderBy } from "../../lists/query/page.server.ts";
import { choosePlan } from "../../lists/query/plan.server.ts";
import {
  ownId,
  pageOf,
  selectFrame,
  selectMoved,
  type Visitor,
} from "../organizations/organization-page.server.ts";
import { RECENT_COLUMNS, RECENT_ROWS } from "../repositories/recent-repositories.server.ts";
import { REPOSITORY_SOURCE } from "../repositories/repository-queries.server.ts";
import { repository } from "../repositories/tables.server.ts";
import { organizationRepository } from "./tables.server.ts";

/** Repositories that the drawer shows at once. */
const FOUND = 6;

/**
 * Loads the shared repositories, at most 500, the newest first. With a term also the first others that match it, by
 * name, to share more; an empty term finds all.
 */
export async function loadRepositories(db: Db, visitor: Visitor, term: string | undefined) {
  const id = ownId(visitor);
  const isShared = sql`EXISTS (
    SELECT 1 FROM ${organizationRepository}
    WHERE ${organizationRepository.organizationId} = ${id}
      AND ${organizationRepository.repositoryId} = ${repository.id}
  )`;
  const order: Order = { by: repository.nameKey, direction: "asc" };
  const criteria = { searchTerm: term ?? "", filters: [not(isShared)] };
  const plan = await choosePlan(db, REPOSITORY_SOURCE, criteria, order);
  const [frames, moved, shared, found] = await db.batch([
    selectFrame(db, visitor),
    selectMoved(db, visitor),
    db
      .select({
        id: repository.id,
        name: repository.name,
        link: repository.link,
        sharedAt: organizationRepository.createdAt,
      })
      .from(organizationRepository)
      .innerJoin(repository, eq(repository.id, organizationRepository.repositoryId))
      .where(eq(organizationRepository.organizationId, id))
      .orderBy(desc(organizationRepository.createdAt), asc(repository.id)),
    db
      .select({ id: repository.id, name: repository.name, link: repository.link })
      .from(repository)
      .where(
        // One more, which tells whether there are others.
        term === undefined
          ? sql`false`
          : onPage(repository.id, plan.parts, order, { limit: FOUND + 1 }),
      )
      .orderBy(...orderBy(order, repository.id)),
  ]);
  const hasMore = found.length > FOUND;
  return pageOf(frames, moved, { shared, found: found.slice(0, FOUND), hasMore });
}

/** Statement that finds those of an organization that were updated last, and their number; none for an empty id. */
export function selectSharedRepositories(db: Db, organizationId: string | SQL<string>) {
  return db
    .select({ ...RECENT_COLUMNS, total: sql<number>`count(*) OVER ()`.as("total") })
    .from(repository)
    .innerJoin(organizationRepository, eq(repository.id, organizationRepository.repositoryId))
    .where(eq(organizationRepository.organizationId, organizationId))
    .orderBy(desc(repository.updatedAt), desc(repository.id))
    .limit(RECENT_ROWS);
}
