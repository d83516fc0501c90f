import { expect, test } from "vitest";
import { findBannedWords } from "./plain-english.ts";

test.each([
  ["a.ts", "/** Sends a mail to whoever asks. */\nsend();", "whoever", 1],
  ["a.ts", "send();\n// The users whom a filter finds.", "whom", 2],
  ["a.ts", "send(); // Nobody hears of it.", "Nobody", 1],
  ["a.ts", "/**\n * Each user keeps a way\n * back.\n */\nsend();", "way back", 2],
  ["a.ts", "// The first way\n// in.\nsend();", "way in", 1],
  ["a.tsx", "const a = (\n  <p>\n    {/* For strangers. */}\n    b\n  </p>\n);", "strangers", 3],
  ["a.css", "a {\n  /* Drawn before leaving. */\n  color: red;\n}", "leaving", 2],
  ["a.sql", "SELECT 1;\n-- A role beside that\n-- of the user.\nSELECT 2;", "that of", 2],
])("a comment in %s is refused: %j", (path, text, words, line) => {
  expect(findBannedWords(path, text)).toMatchObject([{ words, line }]);
});

test.each([
  ["a.ts", 'const link = "https://example.com/whoever"; // A link.'],
  ["a.ts", "const strangers = `// whom`;"],
  ["a.tsx", "const a = <p>It is said // nobody</p>;"],
  ["a.css", 'a::before {\n  content: "/* nobody */";\n}'],
  ["a.sql", "SELECT '-- nobody' AS \"whom\"; -- Two columns."],
  ["a.ts", "/** Returns whomever's, strangely, halfway into it. */"],
])("names and texts in %s are not read: %j", (path, text) => {
  expect(findBannedWords(path, text)).toEqual([]);
});

test("a finding says what to write instead", () => {
  const [finding] = findBannedWords("a.ts", "// A stranger.");
  expect(finding?.instead).toBe("anonymous visitor");
});
