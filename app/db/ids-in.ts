import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** SQL condition: a column has one of these values. The list is one bound value, so it may be of any length. */
export function idsIn(column: SQLWrapper, ids: readonly (string | number)[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
}
