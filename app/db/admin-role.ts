import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** SQL condition: "admin" is among the comma-separated roles. The indexes and triggers have the same expression. */
export function hasAdminRole(role: SQLiteColumn | SQL): SQL {
  return hasRole(role, "admin");
}

/** SQL condition: a role is among the comma-separated roles. The name is a literal, so that indexes can be used. */
export function hasRole(roles: SQLiteColumn | SQL, name: string): SQL {
  return sql`instr(',' || ${roles} || ',', ${sql.raw(`',${name},'`)}) > 0`;
}
