import type { SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { organization, repository, user } from "../../db/schema/schema.ts";

/** The tables that have lists. Each has two full-text tables, named with `_search` and `_words` at the end. */
export const SOURCES = {
  user: { table: user, name: "user", first: user.createdAt },
  repository: { table: repository, name: "repository", first: repository.updatedAt },
  organization: { table: organization, name: "organization", first: organization.createdAt },
} as const satisfies Record<string, Source>;

export type Source = {
  table: SQLiteTable & Record<"id" | "name" | "searchKey", SQLiteColumn>;
  /** Name of the table and of its counter. */
  name: "user" | "repository" | "organization";
  /** Column of the default order, newest first. */
  first: SQLiteColumn;
};

/** One page of a list, as the SQL functions take it. */
export type ListQuery = {
  searchTerm: string;
  sort: {
    column: SQLiteColumn;
    /** SQL for the column when the index has it with a collation. */
    by?: SQL;
    direction: "asc" | "desc";
  };
  /** Sorted before everything else when a term finds few rows. */
  rank?: SQL;
  /** Conditions that every row of the list meets. */
  filters: SQL[];
  /** The parts of an index that the walk reads; without it, the index over the whole table. */
  kinds?: Kinds;
  /** The filter that an index finds, such as a range of days. */
  range?: Range;
  /** Sort value and id of the last row of the previous page. */
  after: Cursor | undefined;
  limit: number;
};

/** Values of the column `kind` that match the filters. `kind` is the first column of one index for each order. */
type Kinds = {
  names: readonly string[];
  /** Conditions on rows of these kinds, without the range. */
  filters: SQL[];
  /** Selects the rowids of the few rows of other kinds that match the filters too. */
  others?: SQL;
  /**
   * A word in the names of all these kinds, which the full-text index finds together with a term; and whether the other
   * kinds lack it.
   */
  word?: string;
  areOthersWithoutWord?: boolean;
};

/** The rows that a filter finds through an index: a range on one column of a list, or on two. */
export type Range = {
  where: SQL;
  /**
   * The same for the walk: with a unary plus where the column is not the sort column, so that SQLite uses no index for
   * it. Each entry is one part of the list's order; together they have every row of the range.
   */
  alongOrder: SQL[];
  /** True when the list is sorted by the column of the range. */
  isInOrder: boolean;
  /** Selects the rowids of the range, of the matching kinds. */
  rows: SQL;
  /** SQL condition: the kind `kinds.value` has rows in the range. */
  isInKind?: SQL;
};

type Cursor = { value: string | number | null; id: string };
