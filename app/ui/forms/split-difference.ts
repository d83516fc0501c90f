/** Splits a text into the words that it shares with another at the start, those that differ, and those at the end. */
export function splitDifference(text: string, other: string) {
  const [words, others] = [wordsOf(text), wordsOf(other)];
  const shortest = Math.min(words.length, others.length);
  let start = 0;
  while (start < shortest && words[start] === others[start]) start++;
  let end = 0;
  while (end < shortest - start && words.at(-1 - end) === others.at(-1 - end)) end++;
  return {
    same: words.slice(0, start).join(""),
    changed: words.slice(start, words.length - end).join(""),
    rest: words.slice(words.length - end).join(""),
  };
}

/** Words and the spaces between them. Browsers send CRLF line ends; stored text has LF. */
function wordsOf(text: string): string[] {
  return text.replaceAll("\r\n", "\n").split(/(\s+)/);
}
