/**
 * Latin letters that Unicode does not take apart, as people write them who do not have them on their keyboard. Source:
 * Unicode Technical Report 30, "Diacritic Folding", and the Latin-ASCII transform of CLDR.
 */
const PLAIN_LETTERS: Record<string, string> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", þ: "th", ð: "d", đ: "d", ɖ: "d", ɗ: "d", ø: "o", ł: "l", ı: "i" },
  ...{ ħ: "h", ŧ: "t", ŋ: "n", ɓ: "b", ƀ: "b", ƙ: "k", ɨ: "i", ʉ: "u", ɔ: "o", ɛ: "e", ƴ: "y" },
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN_LETTERS).join("")}]`, "g");

/**
 * A text as search compares it: lower case, compatibility forms as their plain ones, Latin letters without their
 * diacritics and strokes, nothing that cannot be seen. Marks of other scripts stay, because there they make other words.
 */
export function foldForSearch(text: string): string {
  // SQLite ends a phrase at U+0000.
  const folded = text
    .toWellFormed()
    .replaceAll("\0", "")
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(NOT_PLAIN, (letter) => PLAIN_LETTERS[letter] ?? letter);
  // Which sigma it is depends on what follows, and a part of a word does not know that.
  return folded.replaceAll("ς", "σ");
}

/** The `search_key` of a row: its searched columns, folded, a line each, so that no term matches across two. */
export function searchKey(...columns: (string | null | undefined)[]): string {
  return foldForSearch(columns.filter(Boolean).join("\n"));
}
