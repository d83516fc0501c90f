import { getTableColumns, SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/** A value for every column of a table, or an SQL expression for it. */
export type RowOf<T extends SQLiteTable> = {
  [Column in keyof T["$inferSelect"]]: T["$inferSelect"][Column] | SQL;
};

/**
 * Returns a row's values for `INSERT … SELECT`, which Drizzle fills in the order of the table's
 * columns. A new column of the table does not compile until every such row has a value for it.
 */
export function rowValues<T extends SQLiteTable>(table: T, row: RowOf<T>): SQL {
  const given: Record<string, unknown> = row;
  const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = given[name];
    return value instanceof SQL ? value : sql`${sql.param(value, column)}`;
  });
  return sql.join(values, sql`, `);
}
