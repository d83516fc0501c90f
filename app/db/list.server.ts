import { and, asc, desc, eq, gt, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./db.server.ts";
import { foldForSearch } from "./fold.ts";
import { counter, repository, user } from "./schema/schema.ts";

export const PAGE_SIZE = 20;
/** Above this a total is "1,000+": counting on would cost what the list saves. */
const TOTAL_CAP = 1_000;
/** Trigrams need three characters; for a shorter term every search key is read. */
const MIN_INDEXED_LENGTH = 3;
/**
 * Up to how many rows are fetched and sorted, and up to how many are looked for by number along the list's index. At a
 * million rows the dearest page on either side of each bound costs the same (`npm run bench`).
 */
const FEW = 1_000;
const SOME = 4_000;

export type ListTotal = { count: number; isCapped: boolean };

type Source = {
  table: SQLiteTable & { id: SQLiteColumn; searchKey: SQLiteColumn };
  /** The name of the table, of its counter, and in front of `_search` of its index. */
  name: "user" | "repository";
  /** The index that has the search key in it, and the column in whose order it stands. */
  searched: { index: string; column: SQLiteColumn };
};

/** What there are lists of. */
export const SOURCES = {
  user: {
    table: user,
    name: "user",
    searched: { index: "user_by_created", column: user.createdAt },
  },
  repository: {
    table: repository,
    name: "repository",
    searched: { index: "repository_by_updated", column: repository.updatedAt },
  },
} as const satisfies Record<string, Source>;

export type ListQuery = {
  searchTerm: string;
  sort: {
    column: SQLiteColumn;
    /** The same as SQL when the index has it under a collation. */
    by?: SQL;
    direction: "asc" | "desc";
    /** Whether the column is searched too: what a term finds may then stand all in one place of the list. */
    isSearched?: boolean;
  };
  /** What comes before the order among the few rows that a term finds. */
  rank?: SQL;
  filters: SQL[];
  /** The index that has the rows that the filters leave, in the list's order; the planner's choice when not given. */
  index?: string;
  /** The index by which they are counted. */
  countIndex?: string;
  /** The row numbers that a range finds which stands in another order than the list. */
  range?: SQL;
  /** The last row of what was shown before: its sort value and id. */
  after: { value: string | number | null; id: string } | undefined;
  limit: number;
};

/**
 * Which rows are the next `limit` of a list: a criterion to select them by, in `listOrder`. What narrows a list down
 * without being in its order, a term or a range, has an index of its own. A few rows that it finds are fetched and
 * sorted; of some more the numbers are looked for along the list's index, which is read without the rows; with many the
 * list is walked until a page is full. Which of the three it is the database decides, in the same round trip.
 */
export function onPage(source: Source, query: ListQuery): SQL | undefined {
  const { table } = source;
  const rowid = rowidOf(source);
  const criteria = criteriaOf(source, query);
  const parts = afterCursor(source, query);
  const candidates = candidatesOf(source, query);
  const walked = indexed(source, query.index);
  const order = inOrder(source, query);
  if (!candidates && !query.index && parts.length === 1) return and(...criteria, parts[0]);

  const union = (picks: SQL[]) => sql.join(picks, sql` UNION ALL `);
  const pick = (from: SQL, where: SQL | undefined, order: SQL[], limit: SQL) => {
    const picks = parts.map(
      (part) => sql`SELECT number FROM (
        SELECT ${rowid} AS number FROM ${from} WHERE ${and(where, ...criteria, part) ?? sql`1`}
        ORDER BY ${sql.join(order, sql`, `)} LIMIT ${limit})`,
    );
    // D1 joins at most five selects at one level.
    return sql`SELECT number FROM (${union(picks)})`;
  };
  if (!candidates) return sql`${rowid} IN (${pick(walked, undefined, order, sql`${query.limit}`)})`;
  // Sorted by what is searched, what a term finds may stand together behind nearly all there is.
  const few = query.sort.isSearched ? candidates.most : FEW;
  const some = candidates.most;
  const limitIf = (condition: SQL) =>
    sql`(SELECT CASE WHEN ${condition} THEN ${query.limit} ELSE 0 END FROM amount)`;
  const isFound = sql`${rowid} IN (SELECT number FROM found)`;
  // The plus keeps the numbers from being looked up one by one.
  const isAmong = sql`+${isFound}`;
  const isSome = sql`n > ${literal(few)} AND n <= ${literal(some)}`;
  const byNumber = sql`${table} NOT INDEXED`;
  return sql`${rowid} IN (
    WITH found AS MATERIALIZED (${candidates.rows} LIMIT ${literal(some + 1)}),
      amount AS MATERIALIZED (SELECT count(*) AS n FROM found)
    ${union([
      pick(byNumber, isFound, listOrder(source, query), limitIf(sql`n <= ${literal(few)}`)),
      ...(few < some ? [pick(walked, isAmong, order, limitIf(isSome))] : []),
      pick(walked, undefined, order, limitIf(sql`n > ${literal(some)}`)),
    ])})`;
}

/** The order of a list; the id settles what the sort column leaves open. */
export function listOrder(source: Source, query: ListQuery): SQL[] {
  const order = inOrder(source, query);
  return query.rank && candidatesOf(source, query) ? [desc(query.rank), ...order] : order;
}

function inOrder({ table }: Source, { sort }: ListQuery): SQL[] {
  const by = sort.by ?? sql`${sort.column}`;
  return sort.direction === "asc" ? [asc(by), asc(table.id)] : [desc(by), desc(table.id)];
}

/** The statement for a list's total: kept by triggers without criteria, counted up to 1,001 with them. */
export function listTotal(db: Db, source: Source, query: ListQuery) {
  const { table, name } = source;
  const term = termOf(query);
  const criteria = criteriaOf(source, query);
  if (criteria.length === 0) {
    return db.select({ count: counter.value }).from(counter).where(eq(counter.name, name));
  }
  const upTo = (most: number, rows: SQL) =>
    sql`(SELECT count(*) FROM (${rows} LIMIT ${literal(most)}))`;
  const counted = upTo(
    TOTAL_CAP + 1,
    sql`SELECT 1 FROM ${indexed(source, query.countIndex)} WHERE ${and(...criteria)}`,
  );
  const search = sql.raw(`"${name}_search"`);
  const found = upTo(
    TOTAL_CAP + 1,
    sql`SELECT 1 FROM ${search} CROSS JOIN ${table} ON ${rowidOf(source)} = ${search}.rowid
      WHERE ${search} MATCH ${trigramsOf(term)} AND ${and(...criteria)}`,
  );
  const total = () => {
    if (!isIndexed(term)) return counted;
    // The index by itself can tell a term that is a phrase to it, but dearer than the few trigrams.
    if (query.filters.length === 0) return upTo(TOTAL_CAP + 1, matching(source, phraseOf(term)));
    if (!query.countIndex) return found;
    const amount = upTo(FEW + 1, matching(source, trigramsOf(term)));
    return sql`CASE WHEN ${amount} <= ${literal(FEW)} THEN ${found} ELSE ${counted} END`;
  };
  return db
    .select({ count: sql<number>`${total()}` })
    .from(counter)
    .limit(1);
}

/** A total as it was counted. */
export function readTotal(count: number | undefined, query: ListQuery): ListTotal {
  const isCounted = termOf(query) !== "" || query.filters.length > 0;
  const found = count ?? 0;
  const isCapped = isCounted && found > TOTAL_CAP;
  return { count: isCapped ? TOTAL_CAP : found, isCapped };
}

function termOf({ searchTerm }: ListQuery): string {
  return foldForSearch(searchTerm.trim());
}

function isIndexed(term: string): boolean {
  return [...term].length >= MIN_INDEXED_LENGTH;
}

/** What every row of the list meets, wherever in it a page begins. */
function criteriaOf({ table }: Source, query: ListQuery): SQL[] {
  const term = termOf(query);
  return term === "" ? query.filters : [contains(table, term), ...query.filters];
}

function contains({ searchKey }: Source["table"], term: string): SQL {
  return sql`instr(${searchKey}, ${term}) > 0`;
}

/**
 * The numbers of all rows that may meet the criteria, from another index than that of the list's order, and up to how
 * many of them are worth having; undefined when the order's own is the shortest way.
 */
function candidatesOf(source: Source, query: ListQuery): { rows: SQL; most: number } | undefined {
  const { table, searched } = source;
  const term = termOf(query);
  // The walk reads search keys in the index then, and that takes no longer than looking for numbers.
  const isWalkedByKeys = query.sort.column === searched.column;
  if (isIndexed(term)) {
    return { rows: matching(source, trigramsOf(term)), most: isWalkedByKeys ? FEW : SOME };
  }
  if (query.range) return { rows: query.range, most: SOME };
  if (term === "" || isWalkedByKeys) return undefined;
  const rows = sql`SELECT rowid AS number FROM ${indexed(source, searched.index)} WHERE ${contains(table, term)}`;
  return { rows, most: FEW };
}

/** The numbers of the rows that the index of trigrams finds. */
function matching({ name }: Source, phrases: string): SQL {
  const search = sql.raw(`"${name}_search"`);
  return sql`SELECT rowid AS number FROM ${search} WHERE ${search} MATCH ${phrases}`;
}

/** A term as one phrase: operators and quotes in it are letters like any other. */
function phraseOf(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

/** The first three letters of a term, the last three and those in the middle: they find all that the term does, and soon. */
function trigramsOf(term: string): string {
  const letters = [...term];
  const last = letters.length - MIN_INDEXED_LENGTH;
  const starts = new Set([0, Math.floor(last / 2), last]);
  return [...starts]
    .map((start) => phraseOf(letters.slice(start, start + MIN_INDEXED_LENGTH).join("")))
    .join(" AND ");
}

/** Written out: D1 binds every number as a real one. */
function literal(value: number): SQL {
  return sql.raw(String(value));
}

function rowidOf({ table }: Source): SQL {
  return sql`${table}.rowid`;
}

function indexed({ table }: Source, index: string | undefined): SQL {
  return index ? sql`${table} INDEXED BY ${sql.raw(index)}` : sql`${table}`;
}

/**
 * Rows behind the cursor, in parts that are each one stretch of the index. Nulls come first in SQLite when ascending,
 * last when descending.
 */
function afterCursor({ table }: Source, { after, sort }: ListQuery): (SQL | undefined)[] {
  if (!after) return [undefined];
  const by = sort.by ?? sql`${sort.column}`;
  const { value, id } = after;
  if (value === null) {
    return sort.direction === "asc"
      ? [and(isNull(sort.column), gt(table.id, id)), isNotNull(sort.column)]
      : [and(isNull(sort.column), lt(table.id, id))];
  }
  const compare = sort.direction === "asc" ? sql.raw(">") : sql.raw("<");
  const behind = sql`(${by}, ${table.id}) ${compare} (${value}, ${id})`;
  return sort.direction === "desc" && !sort.column.notNull
    ? [behind, isNull(sort.column)]
    : [behind];
}
