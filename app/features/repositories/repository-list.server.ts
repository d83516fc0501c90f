import type { SQL } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { readListParams } from "../../lists/query/list-params.ts";
import { listState } from "../../lists/query/list-state.ts";
import { excerptOf } from "./excerpt.ts";
import { REPOSITORY_SORTS } from "./repository-limits.ts";
import { listRepositories, repositoryCursor } from "./repository-queries.server.ts";

/** Loads the repository list for a URL: the rows and the list's state; with a condition, only of those that meet it. */
export async function loadRepositoryList(db: Db, url: URL, within?: SQL) {
  const params = readListParams(url, REPOSITORY_SORTS, "desc");
  const { rows, hasMore, total } = await listRepositories(db, {
    ...params,
    within,
    limit: params.size * params.pages,
  });
  const last = rows.at(-1);
  return {
    rows: rows.map(({ id, name, link, description, createdAt, updatedAt }) => ({
      id,
      name,
      link,
      excerpt: excerptOf(description),
      createdAt,
      updatedAt,
    })),
    state: listState(params, {
      shown: rows.length,
      hasMore,
      total,
      cursor: last && repositoryCursor(last, params.sort),
    }),
  };
}
