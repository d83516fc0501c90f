type Part = { text: string; isMatch: boolean };

/** Splits a text at the first place of each word of a term, without regard to case and accents. */
export function matchedParts(text: string, term: string): Part[] {
  // A letter and the marks above and below it are one.
  const letters = text.normalize("NFC").match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
  const folded = letters.map(fold);
  const marked = new Set<number>();
  for (const word of term.split(/\s+/).filter(Boolean)) {
    for (const index of placeOf(fold(word), folded)) marked.add(index);
  }
  const parts: Part[] = [];
  letters.forEach((letter, index) => {
    const isMatch = marked.has(index);
    const last = parts.at(-1);
    if (last?.isMatch === isMatch) last.text += letter;
    else parts.push({ text: letter, isMatch });
  });
  return parts;
}

/** Returns the indexes of the letters that hold a word. */
function placeOf(word: string, letters: string[]): number[] {
  const start = letters.join("").indexOf(word);
  if (start < 0 || word === "") return [];
  const indexes: number[] = [];
  let offset = 0;
  letters.forEach((letter, index) => {
    const end = offset + letter.length;
    if (end > start && offset < start + word.length) indexes.push(index);
    offset = end;
  });
  return indexes;
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
