import { type SQL, sql } from "drizzle-orm";
import type { ListQuery, Source } from "./list-query.server.ts";
import { searchOf } from "./search.server.ts";

/** Returns the conditions that every row of the list meets, on any page. */
export function criteriaOf(source: Source, query: ListQuery): SQL[] {
  const search = searchOf(source, query);
  return search ? [search.criterion, ...query.filters] : query.filters;
}

/** SQL condition: a SELECT has more than `count` rows. Reads no further than that. */
export function hasMoreThan(count: number, rows: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM (${rows}) LIMIT 1 OFFSET ${literal(count)})`;
}

/** Writes a number into the SQL text, because D1 binds every number as a REAL. */
export function literal(value: number): SQL {
  return sql.raw(String(value));
}

export function rowidOf({ table }: Source): SQL {
  return sql`${table}.rowid`;
}
