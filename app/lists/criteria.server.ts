import { type SQL, sql } from "drizzle-orm";
import type { ListQuery, Source } from "./list-query.server.ts";
import { searchOf } from "./search.server.ts";

/** What every row of the list meets, wherever in it a page begins. */
export function criteriaOf(source: Source, query: ListQuery): SQL[] {
  const search = searchOf(source, query);
  return search ? [search.criterion, ...query.filters] : query.filters;
}

/** Whether a select has more rows than this; it is read no further. */
export function hasMoreThan(count: number, rows: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM (${rows}) LIMIT 1 OFFSET ${literal(count)})`;
}

/** Written out: D1 binds every number as a real one. */
export function literal(value: number): SQL {
  return sql.raw(String(value));
}

export function rowidOf({ table }: Source): SQL {
  return sql`${table}.rowid`;
}
