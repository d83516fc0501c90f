import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { foldForSearch } from "../../db/fold.ts";
import type { ListQuery, Source } from "./list-query.server.ts";

/** Trigrams need three characters. Shorter terms match only the beginnings of words. */
const MIN_SUBSTRING_LENGTH = 3;

/**
 * Characters that always begin a word: signs, and characters of scripts that are written without spaces. Migration 0021
 * has the same list.
 */
const SYMBOL =
  /[!-/:-@[-`{-~\u00a1-\u00bf\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2010-\u2bff\u3001-\u9fff\uac00-\ud7a3\u{1f000}-\u{1faff}\u{20000}-\u{323af}]/u;
/** Characters between words. Migration 0021 replaces the same ones. */
const SEPARATORS = ["\n", ...".@-_+/:,'’\"()&،"];

/** SQL for searching a term. */
export type Search = {
  /** Selects the rowids of all rows that may contain the term, from a full-text index. */
  candidates: SQL;
  /** Selects the rowids of exactly the rows that contain the term, where an index can tell. */
  exact?: SQL;
  /** Condition that a row contains the term. */
  criterion: SQL;
};

/** True for a term of one or two characters, which is searched at the beginnings of words only. */
export function isShortTerm(searchTerm: string): boolean {
  const { length } = [...foldForSearch(searchTerm.trim())];
  return length > 0 && length < MIN_SUBSTRING_LENGTH;
}

/** True when the query has a search term. A term of invisible characters only counts as empty. */
export function hasTerm({ searchTerm }: Pick<ListQuery, "searchTerm">): boolean {
  return foldForSearch(searchTerm.trim()) !== "";
}

/** Returns how to search for the term of a query; undefined for an empty term. */
export function searchOf(source: Source, query: ListQuery): Search | undefined {
  const term = foldForSearch(query.searchTerm.trim());
  if (term === "") return undefined;
  const { word, others, areOthersWithoutWord } = query.kinds ?? {};
  const search = isShortTerm(query.searchTerm)
    ? wordBeginnings(source, term, word)
    : substring(source, term, word);
  const candidates =
    word && others && areOthersWithoutWord
      ? sql`${search.candidates} UNION ALL ${others}`
      : search.candidates;
  return { ...search, candidates };
}

/** Finds rows that contain a term of three characters or more anywhere. */
function substring({ table, name }: Source, term: string, kind: string | undefined): Search {
  const index = `${name}_search`;
  return {
    candidates: matching(index, ofKind(`search_key : (${trigramsOf(term)})`, kind)),
    exact: matching(index, `search_key : ${phraseOf(term)}`),
    criterion: sql`instr(${table.searchKey}, ${term}) > 0`,
  };
}

/** Finds rows with a word that begins with a term of one or two characters. */
function wordBeginnings({ table, name }: Source, term: string, kind: string | undefined): Search {
  const index = `${name}_words`;
  const symbols = [...term].filter((character) => SYMBOL.test(character));
  if (symbols.length > 0) {
    // Wherever such a term occurs, a word begins with it or ends in it.
    const match = `symbols : (${symbols.map(phraseOf).join(" AND ")})`;
    return {
      candidates: matching(index, ofKind(match, kind)),
      criterion: sql`instr(${table.searchKey}, ${term}) > 0`,
    };
  }
  const beginnings = `words : ${phraseOf(term)} *`;
  return {
    candidates: matching(index, ofKind(beginnings, kind)),
    exact: matching(index, beginnings),
    criterion: sql`instr(' ' || ${wordsOf(table.searchKey)}, ${` ${term}`}) > 0`,
  };
}

/** Returns the search key with spaces in place of the separators. */
function wordsOf(searchKey: SQLiteColumn): SQL {
  // Literals, because a statement binds at most 100 values.
  return SEPARATORS.reduce<SQL>((words, separator) => {
    const character = sql.raw(`'${separator.replace("'", "''")}'`);
    return sql`replace(${words}, ${character}, ' ')`;
  }, sql`${searchKey}`);
}

function matching(index: string, match: string): SQL {
  const table = sql.raw(`"${index}"`);
  return sql`SELECT rowid AS number FROM ${table} WHERE ${table} MATCH ${match}`;
}

function ofKind(match: string, kind: string | undefined): string {
  return kind ? `${match} AND kind : ${phraseOf(kind)}` : match;
}

/** Quotes a term as one phrase, so that operators and quotes in it are plain text. */
function phraseOf(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

/** Returns the first, the middle and the last three letters of a term. They find every row that contains the term. */
function trigramsOf(term: string): string {
  const letters = [...term];
  const last = letters.length - MIN_SUBSTRING_LENGTH;
  const starts = new Set([0, Math.floor(last / 2), last]);
  return [...starts]
    .map((start) => phraseOf(letters.slice(start, start + MIN_SUBSTRING_LENGTH).join("")))
    .join(" AND ");
}
