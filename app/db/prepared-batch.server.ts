import { fillPlaceholders, type Placeholder, type Query, sql } from "drizzle-orm";
import type { Db } from "./db.server.ts";

/** A moment in a statement, or a placeholder for the moment of each use, in milliseconds. */
export type Moment = Date | Placeholder;

/** Placeholders for the values of each use. */
export type Placeholders<Name extends string> = Record<Name, Placeholder>;

/** A statement of Drizzle that returns rows. */
type Statement = PromiseLike<unknown[]> & {
  prepare(): {
    getQuery(): Query;
    mapResult(response: unknown, isFromBatch: boolean): unknown;
  };
};

/**
 * Returns a function that sends a batch with the given values. Drizzle writes the SQL of a statement on every use, which
 * took a third of a page's time; here it is written once. Values are as the database stores them: a moment is a number.
 */
export function prepareBatch<
  Name extends string,
  const Statements extends readonly [Statement, ...Statement[]],
>(db: Db, names: readonly Name[], build: (values: Placeholders<Name>) => Statements) {
  type Rows = { -readonly [Index in keyof Statements]: Awaited<Statements[Index]> };
  let prepared: ReturnType<Statement["prepare"]>[] | undefined;

  function prepare() {
    const entries = names.map((name): [string, Placeholder] => [name, sql.placeholder(name)]);
    return build(Object.fromEntries(entries) as Placeholders<Name>).map((one) => one.prepare());
  }

  return async (values: Record<Name, string | number>): Promise<Rows> => {
    const statements = prepared ?? prepare();
    prepared = statements;
    const { $client } = db;
    const results = await $client.batch(
      statements.map((one) => {
        const { sql: text, params } = one.getQuery();
        return $client.prepare(text).bind(...fillPlaceholders(params, values));
      }),
    );
    // Drizzle turns the rows into what the statement's type says.
    return results.map((result, index) => statements[index]?.mapResult(result, true)) as Rows;
  };
}
