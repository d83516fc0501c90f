import { and, eq, getTableColumns, gt, lte, type SQL, sql } from "drizzle-orm";
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./db.server.ts";
import { idsIn } from "./ids-in.ts";
import { jsonObject } from "./json-object.ts";
import { rowValues } from "./row-values.ts";
import { bin } from "./schema/schema.ts";

type Kept = {
  /** Rows of one kind have ids of their own. */
  kind: string;
  /** Which rows are about to be deleted. */
  where: SQL | undefined;
  /** How long they can be brought back. */
  until: Date;
  /** What the restoration asks for beside the columns. */
  beside?: Record<string, string>;
};

/** Statement that puts rows into the bin, for the batch that deletes them: it stands before their deletion. */
export function keepRows(
  db: Db,
  table: SQLiteTable & { id: SQLiteColumn },
  { kind, where, until, beside = {} }: Kept,
) {
  const values: (readonly [name: string, value: SQL])[] = [
    ...Object.values(getTableColumns(table)).map(
      ({ name }) => [name, sql`${sql.identifier(name)}`] as const,
    ),
    ...Object.entries(beside).map(([name, value]) => [name, sql`${value}`] as const),
  ];
  const row = jsonObject(values);
  return db
    .insert(bin)
    .select(
      sql`SELECT ${rowValues(bin, { kind, id: sql`${table.id}`, row, until })} FROM ${table} WHERE ${where}`,
    )
    .onConflictDoUpdate({
      target: [bin.kind, bin.id],
      set: { row: sql`excluded.row`, until: sql`excluded.until` },
    });
}

/** SQL condition: rows of a kind with these ids that can be brought back. */
export function isKept(kind: string, ids: readonly string[], now: Date): SQL | undefined {
  return and(eq(bin.kind, kind), idsIn(bin.id, ids), gt(bin.until, now));
}

/** SQL expression: a column of a row in the bin, by its name in the database. */
export function keptValue<T = unknown>(column: string): SQL<T> {
  return sql<T>`${bin.row} ->> ${sql.raw(`'${column}'`)}`;
}

/**
 * SQL: all columns of rows in the bin, for `INSERT … SELECT … FROM bin`. A reference to what is gone
 * meanwhile is empty, where its deletion would have emptied it.
 */
export function keptColumns(table: SQLiteTable): SQL {
  const emptied = new Map(
    getTableConfig(table).foreignKeys.flatMap(({ onDelete, reference }) => {
      const { columns, foreignColumns } = reference();
      const [column, foreign] = [columns[0], foreignColumns[0]];
      return onDelete === "set null" && column && foreign ? [[column.name, foreign] as const] : [];
    }),
  );
  const columns = Object.values(getTableColumns(table)).map(({ name }) => {
    const foreign = emptied.get(name);
    if (!foreign) return keptValue(name);
    return sql`(SELECT ${foreign} FROM ${foreign.table} WHERE ${foreign} = ${keptValue(name)})`;
  });
  return sql.join(columns, sql`, `);
}

/** Deletes what can no longer be brought back. */
export async function emptyBin(db: Db, now: Date): Promise<void> {
  await db.delete(bin).where(lte(bin.until, now));
}
