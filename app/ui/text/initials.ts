/** Scripts whose letters join to a word: one letter stands alone. */
const JOINED = /[\p{Script=Arabic}\p{Script=Syriac}]/u;

/**
 * Returns the initials of a name, of the first and the last word; of an e-mail those of its first
 * part. Where one of them is of a script that joins letters, only the first. The Arabic article
 * does not count.
 */
export function initialsOf(name: string): string {
  const at = name.indexOf("@");
  const words = (at > 0 ? name.slice(0, at) : name).split(/[\s@._-]+/).filter(Boolean);
  const [first = "?", last] = words.length > 1 ? [words[0], words.at(-1)] : words;
  const [one = "", other = ""] = [first, last].map(initialOf);
  const isOneOnly = JOINED.test(one) || JOINED.test(other);
  return (isOneOnly ? one : one + other).toUpperCase();
}

function initialOf(word: string | undefined): string {
  const [letter = ""] = word?.replace(/^ال(?=..)/u, "") ?? "";
  // Alone, this letter looks like a zero. It is written in its first form, as abbreviations write it.
  return letter === "ه" ? "هـ" : letter;
}
