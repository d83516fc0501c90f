import { and, asc, desc, gt, isNotNull, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import { criteriaOf, hasMoreThan, rowidOf } from "./criteria.server.ts";
import type { ListQuery, Source } from "./list-query.server.ts";
import { searchOf } from "./search.server.ts";

/**
 * Up to so many rows are fetched and sorted. In the first order fewer: there the walk reads an index of the whole table
 * with the search key in it, and soon costs less.
 */
const FEW = 3_000;
const FEW_IN_FIRST_ORDER = 1_000;

/**
 * Which rows are the next `limit` of a list: a criterion to select them by, in `listOrder`. There are two strategies
 * (decision 017). The rows that a range of days or a term finds are fetched and sorted when they are few. Else the list
 * is walked in its order until a page is full. Which one it is the database decides, by looking whether there are more
 * than a few.
 */
export function onPage(source: Source, query: ListQuery): SQL {
  const branches: SQL[] = [];
  const looks: SQL[] = [];
  let isMany: SQL | undefined;
  for (const found of foundBy(source, query)) {
    const look = sql.raw(`many${looks.length}`);
    // Each look is one of the statement's tables, so that the branches do not look again.
    looks.push(
      sql`${look}(is_so) AS MATERIALIZED (SELECT ${hasMoreThan(fewOf(source, query), found)})`,
    );
    const hasMany = sql`(SELECT is_so FROM ${look})`;
    branches.push(...sortFound(source, query, { found, condition: and(isMany, not(hasMany)) }));
    isMany = and(isMany, hasMany);
  }
  branches.push(...walk(source, query, isMany));
  // D1 joins at most five selects at one level.
  const groups = branches.map((branch) => sql`SELECT number FROM (${branch})`);
  const page = sql.join(nested(groups), sql` UNION ALL `);
  const rows = looks.length > 0 ? sql`WITH ${sql.join(looks, sql`, `)} ${page}` : page;
  return sql`${rowidOf(source)} IN (${rows})`;
}

/** The order of a list; the id settles what the sort column leaves open. */
export function listOrder(source: Source, query: ListQuery): SQL[] {
  const order = inOrder(source, query);
  return query.rank && searchOf(source, query) ? [desc(query.rank), ...order] : order;
}

/** What numbers the rows of a list without regard to its order: a range of days in another order, a term. */
function foundBy(source: Source, query: ListQuery): SQL[] {
  const { days } = query;
  const search = searchOf(source, query);
  return [days && !days.isInOrder ? days.rows : undefined, search?.candidates].filter(
    (found) => found !== undefined,
  );
}

function fewOf({ first }: Source, { sort }: ListQuery): number {
  return sort.column === first ? FEW_IN_FIRST_ORDER : FEW;
}

/** Strategy one: the rows that were found, fetched by number and sorted. */
function sortFound(
  source: Source,
  query: ListQuery,
  { found, condition }: { found: SQL; condition: SQL | undefined },
): SQL[] {
  const order = sql.join(listOrder(source, query), sql`, `);
  return afterCursor(source, query).map(
    (part) => sql`SELECT ${rowidOf(source)} AS number
      FROM (SELECT number FROM (${found}) LIMIT (CASE WHEN ${condition} THEN -1 ELSE 0 END)) AS found
      CROSS JOIN ${source.table} ON ${rowidOf(source)} = found.number
      WHERE ${and(...criteriaOf(source, query), part) ?? sql`1`}
      ORDER BY ${order} LIMIT ${query.limit}`,
  );
}

/** Strategy two: an index in the list's order, of each kind of rows by itself, read until there is a page of each. */
function walk(source: Source, query: ListQuery, condition: SQL | undefined): SQL[] {
  const { table } = source;
  const { kinds, days } = query;
  const order = sql.join(inOrder(source, query), sql`, `);
  const parts = afterCursor(source, query);
  const limit = condition
    ? sql`(CASE WHEN ${condition} THEN ${query.limit} ELSE 0 END)`
    : sql`${query.limit}`;
  if (!kinds) {
    return parts.map(
      (part) => sql`SELECT ${rowidOf(source)} AS number FROM ${table}
        WHERE ${and(...criteriaOf(source, query), part) ?? sql`1`} ORDER BY ${order} LIMIT ${limit}`,
    );
  }
  const criteria = [searchOf(source, query)?.criterion, ...kinds.filters, days?.alongOrder];
  const walks = parts.map(
    (part) => sql`SELECT one.rowid AS number
      FROM json_each(${JSON.stringify(kinds.names)}) AS kinds CROSS JOIN ${table} AS one
      ON one.rowid IN (
        SELECT ${rowidOf(source)} FROM ${table}
        WHERE ${and(sql`${table}.kind = kinds.value`, ...criteria, part)}
        ORDER BY ${order} LIMIT ${limit})
      WHERE ${days?.isInKind ?? sql`1`}`,
  );
  if (!kinds.others) return walks;
  const others = sql`SELECT ${rowidOf(source)} AS number FROM ${table} NOT INDEXED
    WHERE ${rowidOf(source)} IN (${kinds.others}) AND ${and(condition, ...criteriaOf(source, query))}`;
  return [...walks, ...parts.map((part) => (part ? sql`${others} AND ${part}` : others))];
}

function inOrder({ table }: Source, { sort }: ListQuery): SQL[] {
  const by = sort.by ?? sql`${sort.column}`;
  return sort.direction === "asc" ? [asc(by), asc(table.id)] : [desc(by), desc(table.id)];
}

/** Selects in groups of at most four. */
function nested(selects: SQL[]): SQL[] {
  if (selects.length <= 4) return selects;
  const groups = Array.from({ length: Math.ceil(selects.length / 4) }, (_, index) =>
    selects.slice(4 * index, 4 * index + 4),
  );
  return groups.map((group) => sql`SELECT number FROM (${sql.join(group, sql` UNION ALL `)})`);
}

/**
 * Rows behind the cursor, in parts that are each one range of the index. Nulls come first in SQLite when ascending, last
 * when descending.
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
  // The pair alone is no range of an index with a collation.
  const behind = sql`(${by} ${compare}= ${value} AND (${by}, ${table.id}) ${compare} (${value}, ${id}))`;
  return sort.direction === "desc" && !sort.column.notNull
    ? [behind, isNull(sort.column)]
    : [behind];
}
