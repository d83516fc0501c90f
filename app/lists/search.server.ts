import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { foldForSearch } from "../db/fold.ts";
import type { ListQuery, Source } from "./list-query.server.ts";

/** Trigrams need three characters; shorter terms are looked for at the beginnings of words. */
const MIN_SUBSTRING_LENGTH = 3;

/**
 * Characters that begin a word wherever they stand: signs, and those of scripts that are written without spaces. Migration
 * 0021 lists the same.
 */
const SYMBOL =
  /[!-/:-@[-`{-~\u00a1-\u00bf\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2010-\u2bff\u3001-\u9fff\uac00-\ud7a3\u{1f000}-\u{1faff}\u{20000}-\u{323af}]/u;
/** What separates words. Migration 0021 replaces the same. */
const SEPARATORS = ["\n", ...".@-_+/:,'’\"()&،"];

/** How to search for a term. */
export type Search = {
  /** The numbers of all rows that may have the term, from a full-text index. */
  candidates: SQL;
  /** The numbers of exactly the rows that have it, where an index by itself can tell. */
  exact?: SQL;
  /** What a row that has the term meets. */
  criterion: SQL;
};

/** True for a term of one or two characters, which is searched at the beginnings of words only. */
export function isShortTerm(searchTerm: string): boolean {
  const { length } = [...foldForSearch(searchTerm.trim())];
  return length > 0 && length < MIN_SUBSTRING_LENGTH;
}

/** True when the query has a search term. A term of invisible characters only counts as empty. */
export function hasTerm({ searchTerm }: ListQuery): boolean {
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

/** Rows that have a term of three characters or more anywhere. */
function substring({ table, name }: Source, term: string, kind: string | undefined): Search {
  const index = `${name}_search`;
  return {
    candidates: matching(index, ofKind(`search_key : (${trigramsOf(term)})`, kind)),
    exact: matching(index, `search_key : ${phraseOf(term)}`),
    criterion: sql`instr(${table.searchKey}, ${term}) > 0`,
  };
}

/** Rows in which a word begins with a term of one or two characters. */
function wordBeginnings({ table, name }: Source, term: string, kind: string | undefined): Search {
  const index = `${name}_words`;
  const symbols = [...term].filter((character) => SYMBOL.test(character));
  if (symbols.length > 0) {
    // Wherever such a term stands, a word begins with it or ends in it.
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

/** The search key with spaces for what separates words. */
function wordsOf(searchKey: SQLiteColumn): SQL {
  // Written out: a statement binds 100 values at most.
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

/** A term as one phrase: operators and quotes in it are letters like any other. */
function phraseOf(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}

/** The first, the middle and the last three letters of a term: they find every row that the term finds. */
function trigramsOf(term: string): string {
  const letters = [...term];
  const last = letters.length - MIN_SUBSTRING_LENGTH;
  const starts = new Set([0, Math.floor(last / 2), last]);
  return [...starts]
    .map((start) => phraseOf(letters.slice(start, start + MIN_SUBSTRING_LENGTH).join("")))
    .join(" AND ");
}
