import { createReadStream } from "node:fs";
import { appendFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { query, type Target } from "./target.ts";

/** Table of `wrangler d1 migrations`. */
const MIGRATIONS_TABLE = "d1_migrations";

/** Returns the tables with rows of their own: not the full-text indexes, which are made from them, and not SQLite's. */
export async function listTables(target: Target): Promise<string[]> {
  const rows = await query<{ name: string }>(
    target,
    `SELECT name FROM pragma_table_list
     WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
       AND name NOT LIKE '!_cf!_%' ESCAPE '!' AND name <> '${MIGRATIONS_TABLE}'
     ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** Returns the names of the applied migrations; none for an empty database. */
export async function listMigrations(target: Target): Promise<string[]> {
  const known = `SELECT 1 FROM sqlite_schema WHERE name = '${MIGRATIONS_TABLE}'`;
  if ((await query(target, known)).length === 0) return [];
  const names = await query<{ name: string }>(
    target,
    `SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY name`,
  );
  return names.map(({ name }) => name);
}

/** Counts the rows of each table. */
export async function countTables(
  target: Target,
  tables: string[],
): Promise<Record<string, number>> {
  const counts = tables.map((table) => `(SELECT count(*) FROM "${table}") AS "${table}"`);
  const [row] = await query<Record<string, number>>(target, `SELECT ${counts.join(", ")}`);
  return row ?? {};
}

/** Counts the rows of each table in an export, which has one line for each row. */
export async function countExported(
  file: string,
  tables: string[],
): Promise<{ rows: Record<string, number>; withLineEnds: Set<string> }> {
  const rows = Object.fromEntries(tables.map((table) => [table, 0]));
  const withLineEnds = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const table = /^INSERT INTO "([^"]+)"/.exec(line)?.[1];
    if (!table) continue;
    rows[table] = (rows[table] ?? 0) + 1;
    if (line.includes("replace('")) withLineEnds.add(table);
  }
  return { rows, withLineEnds };
}

/**
 * Adds to an export the texts that D1 exports wrong. It writes a line end as `\n` and turns every
 * `\n` back into a line end, also one that a user typed as a backslash and an "n".
 */
export async function repairLineEnds(
  target: Target,
  file: string,
  tables: Iterable<string>,
): Promise<number> {
  let repaired = 0;
  for (const table of tables) {
    const columns = await query<{ name: string; type: string; pk: number }>(
      target,
      `SELECT name, type, pk FROM pragma_table_info('${table}')`,
    );
    const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
    const texts = columns.filter(({ type }) => type === "TEXT").map(({ name }) => name);
    const isWrong = texts.map(
      (name) => `instr("${name}", char(10)) AND instr("${name}", '\\n')
        OR instr("${name}", char(13)) AND instr("${name}", '\\r')`,
    );
    const rows = await query<Record<string, string | number | null>>(
      target,
      `SELECT * FROM "${table}" WHERE ${isWrong.join(" OR ")}`,
    );
    const equal = (row: (typeof rows)[number], names: string[]) =>
      names.map((name) => `"${name}" = ${literal(row[name])}`);
    for (const row of rows) {
      const where = equal(row, keys).join(" AND ");
      await appendFile(
        file,
        `UPDATE "${table}" SET ${equal(row, texts).join(", ")} WHERE ${where};\n`,
      );
      repaired += 1;
    }
  }
  return repaired;
}

/** Returns a value as SQL on one line. */
function literal(value: string | number | null | undefined): string {
  if (typeof value !== "string") return String(value ?? null);
  const parts = value.split(/([\n\r])/).map((part) => {
    if (part === "\n") return "char(10)";
    return part === "\r" ? "char(13)" : `'${part.replaceAll("'", "''")}'`;
  });
  return `(${parts.join(" || ")})`;
}
