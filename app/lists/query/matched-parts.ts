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

/** How much of a line is kept before the first match, in characters. */
const BEFORE_MATCH = 30;
const LONGEST_EXCERPT = 200;

/**
 * Returns the first line of a text that holds a word of a term, from some words before it on; undefined when no line
 * does.
 */
export function excerptAround(text: string, term: string): string | undefined {
  for (const line of text.split(/\r?\n/)) {
    const [first, ...rest] = matchedParts(line.trim(), term);
    if (!first || (!first.isMatch && rest.length === 0)) continue;
    const start = first.isMatch ? first.text : lastWords(first.text);
    return [start, ...rest.map((part) => part.text)].join("").slice(0, LONGEST_EXCERPT);
  }
  return undefined;
}

/** Returns the end of a text, after "…" where its beginning is left out. */
function lastWords(text: string): string {
  const characters = [...text];
  if (characters.length <= BEFORE_MATCH) return text;
  const end = characters.slice(-BEFORE_MATCH).join("");
  return `…${end.slice(end.indexOf(" ") + 1)}`;
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
