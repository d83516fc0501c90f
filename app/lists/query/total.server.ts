import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { counter } from "../../db/schema/schema.ts";
import { criteriaOf, hasMoreThan, literal, rowidOf } from "./criteria.server.ts";
import type { ListQuery, Source } from "./list-query.server.ts";
import { hasTerm, type Search, searchOf } from "./search.server.ts";

/** Above this the total is shown as "1,000+", because counting on would cost what the list saves. */
const TOTAL_CAP = 1_000;
/**
 * With a term, a range up to this size is counted row by row; above it, the rows that the term finds are
 * counted.
 */
const FEW_IN_RANGE = 10_000;

export type ListTotal = { count: number; isCapped: boolean };

/**
 * Returns the statement for a list's total. Without criteria triggers keep it; else it is counted up to 1,001. With a
 * term it counts the rows that the full-text index finds, with filters alone the rows of the matching kinds.
 */
export function listTotal(db: Db, source: Source, query: ListQuery) {
  const search = searchOf(source, query);
  if (!search && query.filters.length === 0) {
    return db.select({ count: counter.value }).from(counter).where(eq(counter.name, source.name));
  }
  const count = search ? countFound(source, query, search) : countKinds(source, query);
  return db
    .select({ count: sql<number>`${count}` })
    .from(counter)
    .limit(1);
}

/** Turns the counted number into a total. */
export function readTotal(
  count: number | undefined,
  query: Pick<ListQuery, "searchTerm" | "filters">,
): ListTotal {
  const isCounted = hasTerm(query) || query.filters.length > 0;
  const found = count ?? 0;
  const isCapped = isCounted && found > TOTAL_CAP;
  return { count: isCapped ? TOTAL_CAP : found, isCapped };
}

function countFound(source: Source, query: ListQuery, search: Search): SQL {
  if (search.exact && query.filters.length === 0) return capped(search.exact);
  const found = capped(
    sql`SELECT 1 FROM (${search.candidates}) AS found
      CROSS JOIN ${source.table} ON ${rowidOf(source)} = found.number
      WHERE ${and(...criteriaOf(source, query))}`,
  );
  if (!query.range) return found;
  // A term that finds few rows needs no look at the range.
  const hasFew = sql`NOT ${hasMoreThan(TOTAL_CAP, search.candidates)}`;
  return sql`CASE WHEN ${hasFew} OR ${hasMoreThan(FEW_IN_RANGE, query.range.rows)} THEN ${found}
    ELSE ${countKinds(source, query)} END`;
}

function countKinds(source: Source, query: ListQuery): SQL {
  const { table } = source;
  const { kinds, range } = query;
  const criteria = and(...criteriaOf(source, query));
  if (!kinds) return capped(sql`SELECT 1 FROM ${table} WHERE ${and(criteria, range?.where)}`);
  const term = searchOf(source, query)?.criterion;
  const ofKinds = sql`SELECT 1 FROM ${table}
    WHERE ${and(sql`${table}.kind IN (SELECT value FROM json_each(${JSON.stringify(kinds.names)}))`, term, ...kinds.filters, range?.where)}`;
  if (!kinds.others) return capped(ofKinds);
  return capped(
    sql`${ofKinds} UNION ALL SELECT 1 FROM ${table} NOT INDEXED
      WHERE ${rowidOf(source)} IN (${kinds.others}) AND ${criteria}`,
  );
}

function capped(rows: SQL): SQL {
  return sql`(SELECT count(*) FROM (${rows} LIMIT ${literal(TOTAL_CAP + 1)}))`;
}
