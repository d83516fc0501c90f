import { sql } from "drizzle-orm";
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
