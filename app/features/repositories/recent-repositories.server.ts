import { desc, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { counter } from "../../db/schema/schema.ts";
import { EXCERPT_LENGTH, excerptOf } from "./excerpt.ts";
import { repository } from "./tables.server.ts";

export const RECENT_ROWS = 5;

export const RECENT_COLUMNS = {
  id: repository.id,
  name: repository.name,
  excerpt: sql<string | null>`substr(${repository.description}, 1, ${EXCERPT_LENGTH})`.as(
    "excerpt",
  ),
  updatedAt: repository.updatedAt,
};

/** Statement that finds the repositories that were updated last, and the number of all. */
export function selectRecentRepositories(db: Db) {
  const total = sql<number>`(SELECT ${counter.value} FROM ${counter} WHERE ${counter.name} = 'repository')`;
  return db
    .select({ ...RECENT_COLUMNS, total: total.as("total") })
    .from(repository)
    .orderBy(desc(repository.updatedAt), desc(repository.id))
    .limit(RECENT_ROWS);
}

type RecentRow = { id: string; name: string; excerpt: string | null; updatedAt: Date };

export type RecentRepositories = { rows: RecentRow[]; total: number };

/** Turns the rows of such a statement into the list and its total. */
export function readRecentRepositories(
  rows: (RecentRow & { total: number })[],
): RecentRepositories {
  return {
    rows: rows.map(({ total, excerpt, ...row }) => ({ ...row, excerpt: excerptOf(excerpt) })),
    total: rows[0]?.total ?? 0,
  };
}
