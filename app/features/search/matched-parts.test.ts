import { expect, test } from "vitest";
import { matchedParts } from "./matched-parts.ts";

/** Writes the matched parts in brackets. */
function marked(text: string, term: string): string {
  return matchedParts(text, term)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join("");
}

test.each([
  ["Benedict", "be", "[Be]nedict"],
  ["Amélie Étienne", "etie", "Amélie [Étie]nne"],
  ["Lina Haddad", "had li", "[Li]na [Had]dad"],
  ["زهراء الزين", "الز", "زهراء [الز]ين"],
  ["مُحَمَّد", "محم", "[مُحَمَّ]د"],
  ["Users", "", "Users"],
  ["Users", "xyz", "Users"],
])("in %j the term %j marks %j", (text, term, expected) => {
  expect(marked(text, term)).toBe(expected);
});
