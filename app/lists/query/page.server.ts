import { and, asc, desc, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { After, Order } from "./list-query.server.ts";
import type { Plan } from "./plan.server.ts";

/** SQL condition: the rows of a list that follow the cursor, at most `limit`, before them `offset` others. */
export function onPage(
  id: SQLiteColumn,
  { from, where }: Pick<Plan, "from" | "where">,
  order: Order,
  { after, limit, offset = 0 }: { after?: After; limit: number; offset?: number },
): SQL {
  const criteria = and(where, behind(order, id, after)) ?? sql`1`;
  const sorted = sql.join(orderBy(order, id), sql`, `);
  return sql`${id} IN (SELECT ${id} FROM ${from} WHERE ${criteria} ORDER BY ${sorted} LIMIT ${limit} OFFSET ${offset})`;
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

/** Splits the rows of a page, of which one more than `limit` was read. */
export function readPage<Row>(rows: Row[], limit: number) {
  const shown = rows.slice(0, limit);
  return { rows: shown, last: shown.at(-1), hasMore: rows.length > limit };
}
