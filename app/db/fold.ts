/**
 * Latin letters that Unicode does not decompose, with the plain letters that people type instead. Source: Unicode
 * Technical Report 30, "Diacritic Folding", and the Latin-ASCII transform of CLDR.
 */
const PLAIN_LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ð: "d",
  đ: "d",
  ɖ: "d",
  ɗ: "d",
  ø: "o",
  ł: "l",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ɓ: "b",
  ƀ: "b",
  ƙ: "k",
  ɨ: "i",
  ʉ: "u",
  ɔ: "o",
  ɛ: "e",
  ƴ: "y",
};
const NOT_PLAIN = new RegExp(`[${Object.keys(PLAIN_LETTERS).join("")}]`, "g");

/**
 * Returns a text as search compares it: lower case, compatibility forms as plain ones, Latin letters without diacritics
 * and strokes, no invisible characters. Marks of other scripts stay, because there they change the word.
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
  // The form of sigma depends on the following letter, which a part of a word does not have.
  return folded.replaceAll("ς", "σ");
}

/**
 * Returns the `search_key` of a row: its searched columns, folded, one per line, so that no term matches across two
 * columns.
 */
export function searchKey(...columns: (string | null | undefined)[]): string {
  return foldForSearch(columns.filter(Boolean).join("\n"));
}
