import { desc, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { counter, organizationRepository, repository } from "../../db/schema/schema.ts";
import { EXCERPT_LENGTH, excerptOf } from "./excerpt.ts";

const RECENT_ROWS = 5;

const columns = {
  id: repository.id,
  name: repository.name,
  excerpt: sql<string | null>`substr(${repository.description}, 1, ${EXCERPT_LENGTH})`.as(
    "excerpt",
  ),
  updatedAt: repository.updatedAt,
};

/**
 * Statement that finds the repositories that were updated last, and the total: of those that are shared into an
 * organization, none for an empty id, or without one of all.
 */
export function selectRecentRepositories(db: Db, organizationId: string | null) {
  const isNewest = [desc(repository.updatedAt), desc(repository.id)];
  if (organizationId === null) {
    const total = sql<number>`(SELECT ${counter.value} FROM ${counter} WHERE ${counter.name} = 'repository')`;
    return db
      .select({ ...columns, total: total.as("total") })
      .from(repository)
      .orderBy(...isNewest)
      .limit(RECENT_ROWS);
  }
  return db
    .select({ ...columns, total: sql<number>`count(*) OVER ()`.as("total") })
    .from(repository)
    .innerJoin(organizationRepository, eq(repository.id, organizationRepository.repositoryId))
    .where(eq(organizationRepository.organizationId, organizationId))
    .orderBy(...isNewest)
    .limit(RECENT_ROWS);
}

type RecentRow = { id: string; name: string; excerpt: string | null; updatedAt: Date };

export type RecentRepositories = { rows: RecentRow[]; total: number };

/** Turns the rows of `selectRecentRepositories` into the list and its total. */
export function readRecentRepositories(
  rows: (RecentRow & { total: number })[],
): RecentRepositories {
  return {
    rows: rows.map(({ total, excerpt, ...row }) => ({ ...row, excerpt: excerptOf(excerpt) })),
    total: rows[0]?.total ?? 0,
  };
}
