import { or, type SQL, sql } from "drizzle-orm";
import { foldForSearch } from "../../db/fold.ts";
import type { Source } from "./list-query.server.ts";

/** The full-text index holds groups of three characters. */
const MIN_SUBSTRING_LENGTH = 3;
/** Sorts after every text. */
const LAST_CHARACTER = "\u{10ffff}";

export type Search = {
  /** Selects the rowids of the rows that match from an index; with a term of three characters the newest first. */
  rows: SQL;
  matches: SQL;
};

/** True for a term of one or two characters, which is searched at the beginnings only. */
export function isShortTerm(searchTerm: string): boolean {
  const { length } = [...foldForSearch(searchTerm.trim())];
  return length > 0 && length < MIN_SUBSTRING_LENGTH;
}

/** Returns how to search for a term; undefined for a term without visible characters. */
export function searchFor({ table, name, unique }: Source, searchTerm: string): Search | undefined {
  const term = foldForSearch(searchTerm.trim());
  if (term === "") return undefined;
  if (isShortTerm(term)) {
    // The search key begins with the name. Its index holds the first two characters.
    const beginning = sql`substr(${table.searchKey}, 1, 2)`;
    const matches = or(beginsWith(beginning, term), unique && beginsWith(sql`${unique}`, term));
    return {
      rows: sql`SELECT ${table}.rowid FROM ${table} WHERE ${matches}`,
      matches: sql`${matches}`,
    };
  }
  const index = sql.raw(`"${name}_search"`);
  return {
    rows: sql`SELECT rowid FROM ${index} WHERE ${index} MATCH ${phraseOf(term)} ORDER BY rowid DESC`,
    matches: sql`instr(${table.searchKey}, ${term}) > 0`,
  };
}

function beginsWith(text: SQL, term: string): SQL {
  return sql`(${text} >= ${term} AND ${text} < ${term + LAST_CHARACTER})`;
}

/** Quotes a term as one phrase, so that operators and quotes in it are plain text. */
function phraseOf(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
