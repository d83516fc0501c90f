import type { Gatehouse } from "./worker.ts";

type Value = string | number | null;

/** Inserts rows with the same columns in one statement. One round trip per row would cost most of a test's time. */
export async function insertRows(
  d1: Pick<D1Database, "prepare">,
  table: string,
  rows: Record<string, Value>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = columns.map((column) => `value ->> '${column}'`);
  await d1
    .prepare(
      `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?)`,
    )
    .bind(JSON.stringify(rows))
    .run();
}

/** Returns a function that runs one statement on a server's database. */
export function statementsOn({ d1 }: Pick<Gatehouse, "d1">) {
  return (sql: string, ...values: (string | number)[]) =>
    d1
      .prepare(sql)
      .bind(...values)
      .run();
}
