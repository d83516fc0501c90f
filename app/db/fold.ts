/**
 * A text as search compares it: lower case, compatibility forms as their plain ones, Latin letters without their
 * diacritics. Marks of other scripts stay, because there they make other words.
 */
export function foldForSearch(text: string): string {
  // SQLite ends a phrase at U+0000.
  const folded = text
    .toWellFormed()
    .replaceAll("\0", "")
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFKC")
    .toLowerCase();
  // Which sigma it is depends on what follows, and a part of a word does not know that.
  return folded.replaceAll("ς", "σ");
}

/** The `search_key` of a row: its searched columns, folded, a line each, so that no term matches across two. */
export function searchKey(...columns: (string | null | undefined)[]): string {
  return foldForSearch(columns.filter(Boolean).join("\n"));
}
