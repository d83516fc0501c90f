import type { BatchItem } from "drizzle-orm/batch";
import type { Db } from "./db.server.ts";

type Statement = BatchItem<"sqlite">;

/** A statement for a larger batch, and what its rows mean: so that what several features ask stays one round trip. */
export type Read<Result> = { select: (db: Db) => Statement; means: (rows: unknown) => Result };

export function readOf<S extends Statement, Result>(
  select: (db: Db) => S,
  means: (rows: S["_"]["result"]) => Result,
): Read<Result> {
  // `ask` gives each its own rows.
  return { select, means: (rows) => means(rows as S["_"]["result"]) };
}

/**
 * Returns the statements of reads, and the function that tells their results by name, in the order
 * of the statements.
 */
export function ask<Result>(db: Db, reads: Readonly<Record<string, Read<Result>>>) {
  const entries = Object.entries(reads);
  return {
    statements: entries.map(([, { select }]) => select(db)),
    results: (rows: readonly unknown[]): Record<string, Result> =>
      Object.fromEntries(entries.map(([name, { means }], at) => [name, means(rows[at])])),
  };
}
