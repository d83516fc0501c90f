/**
 * A repository's name as it is kept: trimmed, one space between words, and without the characters that are never seen
 * (Unicode's "default ignorable": zero-width spaces, direction marks and overrides, byte order marks). They are taken
 * out rather than refused, because they come along with a paste and nobody can see what to correct. Those that change
 * how their neighbours look stay: Persian and the scripts of India join and part letters with U+200C and U+200D,
 * Mongolian and emoji choose forms with variation selectors. Empty when nothing is left to see.
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
 * What makes two repository names the same: trimmed, NFKC-normalised and case-folded, without what cannot be seen, as
 * Unicode's NFKC_Casefold has it (UAX 44). Two names that only a joiner tells apart would look alike.
 */
export function repositoryNameKey(name: string): string {
  // Upper case first: "ß" and "SS", "ς" and "σ" fold together, as full case folding wants.
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .trim()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC");
}
