import { sql } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { type SampleSize, type Samples, sampleTables } from "./sample-data.server.ts";
import type { Row } from "./sample-rows.ts";

// D1 accepts a value of at most 2 MB; this number of rows of any table stays well below.
const ROWS_A_STATEMENT = 2500;

/**
 * Adds sample data to a migrated database: first the core's, then that of features. Reports the
 * progress of each table. A second run adds nothing. Triggers give their audit rows random ids.
 */
export async function seed(
  db: Db,
  size: SampleSize,
  now: Date,
  ofFeatures: readonly Samples[],
  onProgress: (table: string, done: number, total: number) => void = () => {},
): Promise<void> {
  const today = startOfDay(now);
  const tables = [sampleTables(size, today), ...ofFeatures.map((samples) => samples(size, today))];
  for (const { table, count, rowsOf } of tables.flat()) {
    let rows: Row[] = [];
    for (let index = 0; index < count; index++) {
      rows.push(...rowsOf(index));
      if (rows.length < ROWS_A_STATEMENT && index < count - 1) continue;
      await insertSample(db, table, rows);
      onProgress(table, index + 1, count);
      rows = [];
    }
  }
}

/** Inserts rows through one bound parameter, because D1 allows 100 parameters in a statement. */
export async function insertSample(db: Db, table: string, rows: Row[]): Promise<void> {
  if (!rows[0]) return;
  const columns = Object.keys(rows[0]);
  const values = columns.map((column) => `value ->> '${column}'`);
  await db.run(sql`
    INSERT OR IGNORE INTO ${sql.raw(table)} (${sql.raw(columns.join(", "))})
    SELECT ${sql.raw(values.join(", "))} FROM json_each(${JSON.stringify(rows)})`);
}

/** Returns the day from which the dates of sample data are counted back. */
export function startOfDay(now: Date): number {
  return new Date(now).setUTCHours(0, 0, 0, 0);
}
