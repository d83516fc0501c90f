import type { SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { organization, user } from "../../db/schema/schema.ts";

/**
 * The tables of the core whose lists are searched; features have their own. Each has a full-text
 * table of trigrams, named with `_search` at the end.
 */
export const SOURCES = {
  user: { table: user, name: "user", title: user.name, first: user.createdAt, unique: user.email },
  organization: {
    table: organization,
    name: "organization",
    title: organization.name,
    first: organization.createdAt,
    unique: organization.slug,
  },
} as const satisfies Record<string, Source>;

export type Source = {
  table: SQLiteTable & Record<"id" | "searchKey", SQLiteColumn>;
  /** Name of the table and of its counter. */
  name: string;
  /** The column that tells a row from others. Its search key begins with it. */
  title: SQLiteColumn;
  /** Column of the default order, newest first. */
  first: SQLiteColumn;
  /** A column whose beginning a term of one or two characters may match, beside the name. */
  unique?: SQLiteColumn;
};

/** A kind of things that the search finds beside users and organizations. */
export type FoundThing = {
  source: Source;
  /** Shown beside the name. */
  detail: SQLiteColumn;
  /** A long text, of which the part with the term is shown. */
  text?: SQLiteColumn;
};

/** Which rows a list shows. */
export type Criteria = {
  searchTerm: string;
  /** Conditions that every row meets. */
  filters: SQL[];
  /** Ranges of days on a column that the list is not sorted by: conditions that an index of their own can find. */
  days?: SQL[];
  /** The partial index of a rare state that the filters ask for. */
  rareIndex?: string;
};

/** The order of a list. The id decides between equal values. */
export type Order = {
  /** A column that is never null, or an expression, as the index has it. */
  by: SQL | SQLiteColumn;
  direction: "asc" | "desc";
  /** The index of this order; without it SQLite chooses. */
  index?: string;
};

/** Sort value and id of the last row of the previous page. */
export type After = { value: string | number | null; id: string } | undefined;

export type ListTotal = { count: number; isCapped: boolean };
