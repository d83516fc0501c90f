import { asc, desc, eq, not, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { organizationRepository, repository } from "../../db/schema/schema.ts";
import type { Order, Source } from "../../lists/query/list-query.server.ts";
import { onPage, orderBy } from "../../lists/query/page.server.ts";
import { choosePlan } from "../../lists/query/plan.server.ts";
import {
  ownId,
  pageOf,
  selectFrame,
  selectMoved,
  type Visitor,
} from "../organizations/organization-page.server.ts";

const SOURCE: Source = { table: repository, name: "repository", first: repository.updatedAt };

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
  const plan = await choosePlan(db, SOURCE, criteria, order);
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
      .where(
        // One more, which tells whether there are others.
        term === undefined ? sql`false` : onPage(repository.id, plan, order, { limit: FOUND + 1 }),
      )
      .orderBy(...orderBy(order, repository.id)),
  ]);
  const hasMore = found.length > FOUND;
  return pageOf(frames, moved, { shared, found: found.slice(0, FOUND), hasMore });
}
