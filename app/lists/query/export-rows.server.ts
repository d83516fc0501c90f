import type { After } from "./list-query.server.ts";

/** Rows read at a time. */
const CHUNK = 500;

type Dated = { id: string; createdAt: Date };

/**
 * Yields all rows of an export in chunks, newest first. `select` reads the rows behind a cursor, `cells` returns what
 * the file has of a row.
 */
export async function* exportRows<Row extends Dated, Cells>(
  select: (after: After, limit: number) => Promise<Row[]>,
  cells: (row: Row) => Cells,
) {
  let after: After;
  do {
    const rows = await select(after, CHUNK);
    yield rows.map(cells);
    const last = rows.length === CHUNK ? rows.at(-1) : undefined;
    after = last && { value: last.createdAt.getTime(), id: last.id };
  } while (after);
}
