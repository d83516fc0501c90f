import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** SQL condition: "admin" is among the comma-separated roles. The indexes and triggers have the same expression. */
export function hasAdminRole(role: SQLiteColumn | SQL): SQL {
  return sql`instr(',' || replace(${role}, ' ', '') || ',', ',admin,') > 0`;
}
