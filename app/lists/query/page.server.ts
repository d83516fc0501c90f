import { and, asc, desc, gt, isNotNull, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import { criteriaOf, hasMoreThan, rowidOf } from "./criteria.server.ts";
import type { ListQuery, Source } from "./list-query.server.ts";
import { searchOf } from "./search.server.ts";

/**
 * Up to this many found rows are fetched and sorted; each is read four times. The limit is lower in the default order
 * without filters: its index covers the whole table and includes the search key, so the walk is cheaper.
 */
const FEW = 3_000;
const FEW_IN_FIRST_ORDER = 1_000;

/**
 * Returns a condition for the next `limit` rows of a list, to be sorted by `listOrder`. There are two strategies
 * (decision 017). When a range or a term finds few rows, they are fetched and sorted. Otherwise the list is
 * walked in its order until a page is full. The database chooses, by looking whether there are more than a few rows.
 */
export function onPage(source: Source, query: ListQuery): SQL {
  const branches: SQL[] = [];
  const looks: SQL[] = [];
  let isMany: SQL | undefined;
  for (const found of foundBy(source, query)) {
    const look = sql.raw(`many${looks.length}`);
    // Materialized, so that the branches do not evaluate it again.
    looks.push(
      sql`${look}(is_so) AS MATERIALIZED (SELECT ${hasMoreThan(fewOf(source, query), found)})`,
    );
    const hasMany = sql`(SELECT is_so FROM ${look})`;
    branches.push(...sortFound(source, query, { found, condition: and(isMany, not(hasMany)) }));
    isMany = and(isMany, hasMany);
  }
  branches.push(...walk(source, query, isMany));
  // D1 allows at most five SELECTs in one compound statement.
  const groups = branches.map((branch) => sql`SELECT number FROM (${branch})`);
  const page = sql.join(nested(groups), sql` UNION ALL `);
  const rows = looks.length > 0 ? sql`WITH ${sql.join(looks, sql`, `)} ${page}` : page;
  return sql`${rowidOf(source)} IN (${rows})`;
}

/** Returns the order of a list. The id decides between equal sort values. */
export function listOrder(source: Source, query: ListQuery): SQL[] {
  const order = inOrder(source, query);
  return query.rank && searchOf(source, query) ? [desc(query.rank), ...order] : order;
}

/**
 * Returns SELECTs of rowids that ignore the list's order: a range on another column than the sort column, and a
 * term.
 */
function foundBy(source: Source, query: ListQuery): SQL[] {
  const { range } = query;
  const search = searchOf(source, query);
  return [range && !range.isInOrder ? range.rows : undefined, search?.candidates].filter(
    (found) => found !== undefined,
  );
}

function fewOf({ first }: Source, { sort, filters }: ListQuery): number {
  return sort.column === first && filters.length === 0 ? FEW_IN_FIRST_ORDER : FEW;
}

/** Strategy one: fetches the found rows by rowid and sorts them. */
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

/** Strategy two: reads an index in the list's order, for each kind separately, until there is a page of each. */
function walk(source: Source, query: ListQuery, condition: SQL | undefined): SQL[] {
  const { table } = source;
  const { kinds, range } = query;
  const order = sql.join(inOrder(source, query), sql`, `);
  const behindCursor = afterCursor(source, query);
  const parts = (range?.alongOrder ?? [undefined]).flatMap((within) =>
    behindCursor.map((behind) => and(within, behind)),
  );
  const limit = condition
    ? sql`(CASE WHEN ${condition} THEN ${query.limit} ELSE 0 END)`
    : sql`${query.limit}`;
  if (!kinds) {
    return parts.map(
      (part) => sql`SELECT ${rowidOf(source)} AS number FROM ${table}
        WHERE ${and(...criteriaOf(source, query), part) ?? sql`1`} ORDER BY ${order} LIMIT ${limit}`,
    );
  }
  const criteria = [searchOf(source, query)?.criterion, ...kinds.filters];
  const walks = parts.map(
    (part) => sql`SELECT one.rowid AS number
      FROM json_each(${JSON.stringify(kinds.names)}) AS kinds CROSS JOIN ${table} AS one
      ON one.rowid IN (
        SELECT ${rowidOf(source)} FROM ${table}
        WHERE ${and(sql`${table}.kind = kinds.value`, ...criteria, part)}
        ORDER BY ${order} LIMIT ${limit})
      WHERE ${range?.isInKind ?? sql`1`}`,
  );
  if (!kinds.others) return walks;
  const others = sql`SELECT ${rowidOf(source)} AS number FROM ${table} NOT INDEXED
    WHERE ${rowidOf(source)} IN (${kinds.others}) AND ${and(condition, ...criteriaOf(source, query))}`;
  return [
    ...walks,
    ...behindCursor.map((behind) => (behind ? sql`${others} AND ${behind}` : others)),
  ];
}

function inOrder({ table }: Source, { sort }: ListQuery): SQL[] {
  const by = sort.by ?? sql`${sort.column}`;
  return sort.direction === "asc" ? [asc(by), asc(table.id)] : [desc(by), desc(table.id)];
}

/** Groups SELECTs by at most four. */
function nested(selects: SQL[]): SQL[] {
  if (selects.length <= 4) return selects;
  const groups = Array.from({ length: Math.ceil(selects.length / 4) }, (_, index) =>
    selects.slice(4 * index, 4 * index + 4),
  );
  return groups.map((group) => sql`SELECT number FROM (${sql.join(group, sql` UNION ALL `)})`);
}

/**
 * Returns conditions for the rows after the cursor; each is one range of the index. In SQLite nulls come first when
 * ascending and last when descending.
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
  // The comparison of the pair alone is no range of an index with a collation.
  const behind = sql`(${by} ${compare}= ${value} AND (${by}, ${table.id}) ${compare} (${value}, ${id}))`;
  return sort.direction === "desc" && !sort.column.notNull
    ? [behind, isNull(sort.column)]
    : [behind];
}
