import { createDb, type Db } from "../../app/db/db.server.ts";

/**
 * Returns the EXPLAIN QUERY PLAN lines of every statement that `work` prepares, such as "SCAN user" for reading a whole
 * table.
 */
export async function plansOf(
  { d1 }: { d1: D1Database },
  work: (db: Db) => Promise<unknown>,
): Promise<string[]> {
  const asked: { query: string; values: unknown[] }[] = [];
  const watched = new Proxy(d1, {
    get(target, name) {
      if (name === "batch") return (statements: D1PreparedStatement[]) => target.batch(statements);
      if (name !== "prepare") return Reflect.get(target, name);
      return (query: string) => {
        const one: (typeof asked)[number] = { query, values: [] };
        asked.push(one);
        return new Proxy(target.prepare(query), {
          get(statement, method) {
            if (method !== "bind") return Reflect.get(statement, method);
            return (...values: unknown[]) => {
              one.values = values;
              return statement.bind(...values);
            };
          },
        });
      };
    },
  });
  await work(createDb(watched));
  const plans = await Promise.all(
    asked.map(({ query, values }) =>
      d1
        .prepare(`EXPLAIN QUERY PLAN ${query}`)
        .bind(...values)
        .all<{ detail: string }>(),
    ),
  );
  return plans.flatMap(({ results }) => results.map(({ detail }) => detail));
}

/** Returns the plan lines that read a table or an index from end to end. */
export function wholeTableReads(plans: string[]): string[] {
  // Except for the `counter` table, constant rows and subqueries.
  return plans.filter((line) => /^SCAN (?!counter$|CONSTANT ROW$|\()/.test(line));
}
