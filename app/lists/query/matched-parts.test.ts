import { expect, test } from "vitest";
import { excerptAround, matchedParts } from "./matched-parts.ts";

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

test.each([
  ["Books of the desert", "desert", "Books of the desert"],
  ["First line\r\nNightly jobs", "jobs", "Nightly jobs"],
  [
    "Nightly jobs: imports, reports and the clean-up behind them.",
    "be",
    "…reports and the clean-up behind them.",
  ],
  [
    "مكتبة مشتركة للخدمات التي تعمل في الليل كل يوم",
    "الليل",
    "…مشتركة للخدمات التي تعمل في الليل كل يوم",
  ],
  [`${"x".repeat(2_000)} end`, "end", "…end"],
  ["Nothing here", "xyz", undefined],
  ["", "xyz", undefined],
])("of %j the part around %j is %j", (text, term, expected) => {
  expect(excerptAround(text, term)).toBe(expected);
});
