import type { SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { repository, user } from "../db/schema/schema.ts";

export const PAGE_SIZE = 20;

/** What there are lists of. The two full-text tables are the table's name with `_search` and `_words` behind it. */
export const SOURCES = {
  user: { table: user, name: "user", first: user.createdAt },
  repository: { table: repository, name: "repository", first: repository.updatedAt },
} as const satisfies Record<string, Source>;

export type Source = {
  table: SQLiteTable & Record<"id" | "name" | "searchKey", SQLiteColumn>;
  /** The name of the table and of its counter. */
  name: "user" | "repository";
  /** The column of the list's first order, newest first. */
  first: SQLiteColumn;
};

/** One page of a list, as SQL sees it. */
export type ListQuery = {
  searchTerm: string;
  sort: {
    column: SQLiteColumn;
    /** The same as SQL when the index has it under a collation. */
    by?: SQL;
    direction: "asc" | "desc";
  };
  /** What comes before the order when a term finds few rows. */
  rank?: SQL;
  /** What every row of the list meets. */
  filters: SQL[];
  /** The part of an index in which the list is walked; the whole table's when not given. */
  kinds?: Kinds;
  /** The range of days among the filters. */
  days?: Days;
  /** The last row of what was shown before: its sort value and id. */
  after: Cursor | undefined;
  limit: number;
};

/** The kinds of rows that the filters leave, by the column `kind`, which stands first in an index for each order. */
type Kinds = {
  names: readonly string[];
  /** What else a row of these kinds has to meet, the days apart. */
  filters: SQL[];
  /** Row numbers of the few rows of other kinds that meet the filters too. */
  others?: SQL;
  /** A word that all their names have, to look for together with a term, and whether the others lack it. */
  word?: string;
  areOthersWithoutWord?: boolean;
};

/** A range of days of one of a list's columns, or two. */
export type Days = {
  where: SQL;
  /** The same for a walk: hidden from the planner where the walk is in another order. */
  alongOrder: SQL;
  /** Whether the list is in the order of the days. */
  isInOrder: boolean;
  /** The numbers of the rows of those days, of the kinds that the filters leave. */
  rows: SQL;
  /** Whether there are any of the kind `kinds.value`. */
  isInKind: SQL;
};

type Cursor = { value: string | number | null; id: string };
