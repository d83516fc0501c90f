import { and, asc, desc, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { After, Order } from "./list-query.server.ts";
import type { Part } from "./plan.server.ts";

/** Rows that are read at a time where all are wanted. */
const CHUNK = 500;

type PageOf = {
  after?: After;
  limit: number;
  /** Rows that are left out before the page. */
  offset?: number;
  /** The columns that find one row, where the id alone has no index. */
  key?: readonly SQLiteColumn[] | undefined;
};

/** SQL condition: the rows of one page of a list, which follow the cursor. */
export function onPage(
  id: SQLiteColumn,
  parts: readonly Part[],
  order: Order,
  { after, limit, offset = 0, key = [id] }: PageOf,
): SQL {
  const columns = sql.join([...key], sql`, `);
  const sorted = sql.join(orderBy(order, id), sql`, `);
  const page = sql`LIMIT ${limit} OFFSET ${offset}`;
  const select = (selected: SQL, { from, where }: Part, rows: SQL) => {
    const criteria = and(where, behind(order, id, after)) ?? sql`1`;
    return sql`SELECT ${selected} FROM ${from} WHERE ${criteria} ORDER BY ${sorted} ${rows}`;
  };
  const [first, ...others] = parts;
  if (first && others.length === 0) return sql`(${columns}) IN (${select(columns, first, page)})`;
  // Each part has an index in this order but their union has none, so the first rows of each are sorted.
  const selected = sql`${order.by} AS sorted, ${columns}`;
  const rows = parts.map(
    (part) => sql`SELECT * FROM (${select(selected, part, sql`LIMIT ${limit + offset}`)})`,
  );
  const names = key.map(({ name }) => sql.identifier(name));
  const direction = sql.raw(order.direction);
  return sql`(${columns}) IN (
    SELECT ${sql.join(names, sql`, `)} FROM (${sql.join(rows, sql` UNION ALL `)})
    ORDER BY sorted ${direction}, ${sql.identifier(id.name)} ${direction} ${page}
  )`;
}

export function orderBy({ by, direction }: Order, id: SQLiteColumn): SQL[] {
  const sorted = direction === "asc" ? asc : desc;
  return [sorted(by), sorted(id)];
}

/** SQL condition: rows after the cursor. */
export function behind({ by, direction }: Order, id: SQLiteColumn, after: After): SQL | undefined {
  if (!after) return undefined;
  const { value } = after;
  const compare = sql.raw(direction === "asc" ? ">" : "<");
  // The comparison of the pair alone is no range of an index with a collation or an expression.
  return sql`(${by} ${compare}= ${value} AND (${by}, ${id}) ${compare} (${value}, ${after.id}))`;
}

/** Yields all rows that `select` reads behind a cursor, in chunks. `valueIn` returns a row's value in their order. */
export async function* inChunks<Row extends { id: string }>(
  select: (after: After, limit: number) => PromiseLike<Row[]>,
  valueIn: (row: Row) => string | number,
) {
  let after: After;
  do {
    const rows = await select(after, CHUNK);
    yield rows;
    const last = rows.length === CHUNK ? rows.at(-1) : undefined;
    after = last && { value: valueIn(last), id: last.id };
  } while (after);
}

/** Splits the rows of a page, of which one more than `limit` was read. */
export function readPage<Row>(rows: Row[], limit: number) {
  const shown = rows.slice(0, limit);
  return { rows: shown, last: shown.at(-1), hasMore: rows.length > limit };
}
