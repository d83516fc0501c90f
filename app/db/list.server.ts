import { and, asc, desc, eq, gt, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./db.server.ts";
import { foldForSearch } from "./fold.ts";
import { counter } from "./schema/schema.ts";

export const PAGE_SIZE = 20;
/** Above this a total is "1,000+": counting on would cost what the list saves. */
const TOTAL_CAP = 1_000;
/** Trigrams need three characters; a shorter term walks the list's own order. */
const MIN_INDEXED_LENGTH = 3;

export type ListTotal = { count: number; isCapped: boolean };

type Source = {
  table: SQLiteTable & { id: SQLiteColumn; searchKey: SQLiteColumn };
  /** The name of the table, of its counter, and in front of `_search` of its index. */
  name: "user" | "repository";
};

export type ListQuery = {
  searchTerm: string;
  /** The column to order by, and the same as SQL when the index has it under a collation. */
  sort: { column: SQLiteColumn; by?: SQL; direction: "asc" | "desc" };
  filters: SQL[];
  /** The last row of what was shown before: its sort value and id. */
  after: { value: string | number | null; id: string } | undefined;
  limit: number;
};

/**
 * The statements for one page of a list, for one `db.batch`. A rare term is looked up in the index of trigrams and
 * sorted; a common one would make thousands of rows to sort, so the list is walked in its order instead until a
 * page is full. Which of the two is decided inside the database: one statement of the pair answers no rows.
 */
export function listCriteria(source: Source, query: ListQuery) {
  const { table, name } = source;
  const term = foldForSearch(query.searchTerm.trim());
  const contains = sql`instr(${table.searchKey}, ${term}) > 0`;
  const paged = [...query.filters, afterCursor(source, query)].filter((part) => part !== undefined);
  if (term === "") return { rows: [and(...paged)], term };
  if ([...term].length < MIN_INDEXED_LENGTH) return { rows: [and(contains, ...paged)], term };
  const matches = matching(name, term);
  const isRare = sql`(SELECT count(*) FROM (${matches} LIMIT ${TOTAL_CAP + 1})) <= ${TOTAL_CAP}`;
  const rowid = sql.raw(`"${name}".rowid`);
  return {
    rows: [
      and(isRare, sql`${rowid} IN (${matches} LIMIT ${TOTAL_CAP + 1})`, ...paged),
      and(sql`NOT ${isRare}`, contains, ...paged),
    ],
    term,
  };
}

/** The statement for a list's total: kept by triggers without criteria, counted up to 1,001 with them. */
export function listTotal(db: Db, source: Source, query: ListQuery) {
  const { table, name } = source;
  const term = foldForSearch(query.searchTerm.trim());
  if (term === "" && query.filters.length === 0) {
    return db.select({ count: counter.value }).from(counter).where(eq(counter.name, name));
  }
  const isIndexed = [...term].length >= MIN_INDEXED_LENGTH;
  const matched = isIndexed
    ? sql`${sql.raw(`"${name}".rowid`)} IN (${matching(name, term)})`
    : term && sql`instr(${table.searchKey}, ${term}) > 0`;
  const criteria = and(...query.filters, matched || undefined);
  const found =
    isIndexed && query.filters.length === 0
      ? sql`${matching(name, term)} LIMIT ${TOTAL_CAP + 1}`
      : sql`SELECT 1 FROM ${table} WHERE ${criteria} LIMIT ${TOTAL_CAP + 1}`;
  return db
    .select({ count: sql<number>`(SELECT count(*) FROM (${found}))` })
    .from(counter)
    .limit(1);
}

/** The order of a list; the id settles what the sort column leaves open. */
export function listOrder({ table }: Source, { sort }: ListQuery): SQL[] {
  const by = sort.by ?? sql`${sort.column}`;
  return sort.direction === "asc" ? [asc(by), asc(table.id)] : [desc(by), desc(table.id)];
}

/** A total as it was counted. */
export function readTotal(count: number | undefined, query: ListQuery): ListTotal {
  const isCounted = foldForSearch(query.searchTerm.trim()) !== "" || query.filters.length > 0;
  const found = count ?? 0;
  const isCapped = isCounted && found > TOTAL_CAP;
  return { count: isCapped ? TOTAL_CAP : found, isCapped };
}

/** A term as one phrase: operators and quotes in it are letters like any other. */
function matching(name: Source["name"], term: string): SQL {
  const phrase = `"${term.replaceAll('"', '""')}"`;
  return sql`SELECT rowid FROM ${sql.raw(`${name}_search`)} WHERE ${sql.raw(`${name}_search`)} MATCH ${phrase}`;
}

/** Rows behind the cursor. Nulls come first in SQLite when ascending, last when descending. */
function afterCursor({ table }: Source, { after, sort }: ListQuery): SQL | undefined {
  if (!after) return undefined;
  const by = sort.by ?? sql`${sort.column}`;
  const { value, id } = after;
  if (value === null) {
    return sort.direction === "asc"
      ? or(sql`${by} IS NOT NULL`, and(isNull(sort.column), gt(table.id, id)))
      : and(isNull(sort.column), lt(table.id, id));
  }
  const compare = sort.direction === "asc" ? sql.raw(">") : sql.raw("<");
  const behind = sql`(${by}, ${table.id}) ${compare} (${value}, ${id})`;
  return sort.direction === "desc" && !sort.column.notNull
    ? or(behind, isNull(sort.column))
    : behind;
}
