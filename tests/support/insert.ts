type Value = string | number | null;

/**
 * Inserts rows with the same columns in one statement, and returns them as stored. One round trip per row would cost
 * most of a test's time.
 */
export async function insertRows<Row extends Record<string, Value>>(
  d1: Pick<D1Database, "prepare">,
  table: string,
  rows: Row[],
): Promise<Row[]> {
  const columns = Object.keys(rows[0] ?? {});
  const values = columns.map((column) => `value ->> '${column}'`);
  const { results } = await d1
    .prepare(
      `INSERT INTO ${table} (${columns.join(", ")})
       SELECT ${values.join(", ")} FROM json_each(?) RETURNING *`,
    )
    .bind(JSON.stringify(rows))
    .all<Row>();
  return results;
}
