/**
 * Returns a repository's name as it is stored: trimmed, with single spaces and without invisible characters (Unicode's
 * "default ignorable": zero-width spaces, direction marks and overrides, byte order marks). These are removed instead
 * of refused, because they come along with a paste and the user cannot see what to correct. Characters that change the
 * look of their neighbours stay: Persian and Indic scripts join and separate letters with U+200C and U+200D, and
 * Mongolian and emoji choose forms with variation selectors. Empty when no visible character is left.
 */
export function cleanRepositoryName(name: string): string {
  const seen = name
    .toWellFormed()
    .normalize("NFC")
    .replace(
      /[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f]]/gv,
      "",
    )
    .trim()
    .replace(/\s+/g, " ");
  return repositoryNameKey(seen) === "" ? "" : seen;
}

/**
 * Returns the key by which repository names are compared: trimmed, NFKC-normalized, case-folded and without invisible
 * characters, as in Unicode's NFKC_Casefold (UAX 44). Two names that differ only in a joiner would look alike.
 */
export function repositoryNameKey(name: string): string {
  // Upper case first, so that "ß" equals "SS" and "ς" equals "σ", as in full case folding.
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .trim()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC");
}
