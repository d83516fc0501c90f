import { getTableColumns, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Read, readOf } from "./read.server.ts";

type OwnRows<Table extends SQLiteTable, Name extends keyof Table["$inferSelect"]> = {
  /** Which rows are the person's. */
  where: SQL;
  /** What is read of them. Other columns, such as tokens, never leave the database. */
  columns: readonly (Name & string)[];
  order?: SQL;
  /** What the file says of a row, where it is not just its columns. */
  show?: (row: Pick<Table["$inferSelect"], Name>) => object;
};

/** Reads the rows about a person in a table, for the download of their own data. */
export function ownRows<Table extends SQLiteTable, Name extends keyof Table["$inferSelect"]>(
  table: Table,
  { where, columns, order, show = (row) => row }: OwnRows<Table, Name>,
): Read<object[]> {
  const all = getTableColumns<SQLiteTable>(table);
  const read = Object.fromEntries(
    columns.flatMap((name) => (all[name] ? [[name, all[name]]] : [])),
  );
  return readOf(
    (db) => {
      const rows = db.select(read).from<SQLiteTable>(table).where(where);
      return order ? rows.orderBy(order) : rows;
    },
    // Drizzle cannot know the columns of a list of names.
    (rows) => rows.map((row) => show(row as Pick<Table["$inferSelect"], Name>)),
  );
}
