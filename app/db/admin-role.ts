import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** Whether "admin" is one of a row's comma-separated roles, spelled as the indexes and triggers spell it. */
export function hasAdminRole(role: SQLiteColumn | SQL): SQL {
  return sql`instr(',' || replace(${role}, ' ', '') || ',', ',admin,') > 0`;
}
