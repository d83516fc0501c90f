import { asc, desc, eq, not, sql } from "drizzle-orm";
import type { Db } from "../../../db/db.server.ts";
import { organizationRepository, repository } from "../../../db/schema/schema.ts";
import { type ListQuery, SOURCES } from "../../../lists/list-query.server.ts";
import { listOrder, onPage } from "../../../lists/page.server.ts";
import {
  ownId,
  pageOf,
  selectFrame,
  selectMoved,
  type Visitor,
} from "../organization-page.server.ts";

const FOUND = 6;

/**
 * Loads the shared repositories, at most 500, the newest first. With a term also others that match it, to share more;
 * an empty term finds the newest.
 */
export async function loadRepositories(db: Db, visitor: Visitor, term: string | undefined) {
  const id = ownId(visitor);
  const isShared = sql`EXISTS (
    SELECT 1 FROM ${organizationRepository}
    WHERE ${organizationRepository.organizationId} = ${id}
      AND ${organizationRepository.repositoryId} = ${repository.id}
  )`;
  const query: ListQuery = {
    searchTerm: term ?? "",
    sort: { column: repository.updatedAt, direction: "desc" },
    filters: [not(isShared)],
    after: undefined,
    limit: FOUND,
  };
  const [frames, moved, shared, found] = await db.batch([
    selectFrame(db, visitor),
    selectMoved(db, visitor),
    db
      .select({
        ...{ id: repository.id, name: repository.name, link: repository.link },
        sharedAt: organizationRepository.createdAt,
      })
      .from(organizationRepository)
      .innerJoin(repository, eq(repository.id, organizationRepository.repositoryId))
      .where(eq(organizationRepository.organizationId, id))
      .orderBy(desc(organizationRepository.createdAt), asc(repository.id)),
    db
      .select({ id: repository.id, name: repository.name, link: repository.link })
      .from(repository)
      .where(term === undefined ? sql`false` : onPage(SOURCES.repository, query))
      .orderBy(...listOrder(SOURCES.repository, query))
      .limit(FOUND),
  ]);
  return pageOf(frames, moved, { shared, found });
}
