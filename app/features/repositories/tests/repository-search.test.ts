import { afterAll, expect, test } from "vitest";
import { readText, typedIn } from "../../../../tests/support/client.ts";
import { openList } from "../../../../tests/support/lists.ts";
import { alertScriptsOf } from "../../../../tests/support/page.ts";
import { aLibrary, aRepository } from "./repositories.ts";

const LIST = "/manager/repositories";

const ARABIC = Array.from({ length: 300 }, (_, index) =>
  String.fromCodePoint(0x0628 + ((index * 7) % 19)),
).join("");

const SEARCHED = {
  percent: { name: "100% sure", link: "https://percent.example/" },
  underscore: { name: "under_score", link: "https://one.example/" },
  undergone: { name: "underXscore", link: "https://two.example/" },
  quotes: { name: `"double" and 'single'`, link: "https://three.example/" },
  operators: { name: "Zeus AND (Hera OR NOT Leto) NEAR* ^x", link: "https://four.example/" },
  backslash: { name: "back\\slash; DROP TABLE repository;--", link: "https://five.example/" },
  latin: { name: "Crème Brûlée", link: "https://six.example/", description: "Ångström" },
  strokes: { name: "Łódź Smørrebrød", link: "https://l.example/", description: "Straße, Đja" },
  arabic: { name: "مكتبة الأدوات", link: "https://seven.example/", description: ARABIC },
  greek: { name: "ΟΔΟΣΗΜΟ", link: "https://eight.example/" },
  chinese: { name: "开源软件仓库", link: "https://nine.example/" },
  emoji: { name: "🦊 tale", link: "https://ten.example/" },
} as const;

const index = await aLibrary();
afterAll(() => index[Symbol.asyncDispose]());
for (const [id, row] of Object.entries(SEARCHED)) await aRepository(index.library, { id, ...row });

test.each([
  ["sure", ["percent"]],
  ["SURE", ["percent"]],
  ["  sure  ", ["percent"]],
  ["00% s", ["percent"]],
  ["10", ["percent"]],
  ["%", []],
  ["0% s", ["percent"]],
  ["UN", ["underscore", "undergone"]],
  ["_", []],
  ["r_s", ["underscore"]],
  ["under_score", ["underscore"]],
  ['"', ["quotes"]],
  ['"double"', ["quotes"]],
  ['e" a', ["quotes"]],
  ["'single'", ["quotes"]],
  ["Hera OR", ["operators"]],
  ["Hera OR sure", []],
  ["NOT Leto", ["operators"]],
  ["NEAR*", ["operators"]],
  ["sur*", []],
  ["* ^x", ["operators"]],
  ["search_key:sure", []],
  ["(Hera", ["operators"]],
  ["\\", []],
  ["k\\s", ["backslash"]],
  ["DROP TABLE repository;--", ["backslash"]],
  ["creme", ["latin"]],
  ["CRÈME", ["latin"]],
  ["ème Brû", ["latin"]],
  ["cre\u0300me", ["latin"]],
  ["angst", ["latin"]],
  ["lodz smorrebrod", ["strokes"]],
  ["ŁÓDŹ SMØR", ["strokes"]],
  ["strasse", ["strokes"]],
  ["dja", ["strokes"]],
  ["م", ["arabic"]],
  ["مك", ["arabic"]],
  ["دو", []],
  ["الأدوات", ["arabic"]],
  ["ﻣﻜﺘﺒﺔ", ["arabic"]],
  [ARABIC.slice(40, 240), ["arabic"]],
  [ARABIC.slice(40, 66), ["arabic"]],
  ["οδος", ["greek"]],
  ["ΔΟΣ", ["greek"]],
  ["ς", []],
  ["开", ["chinese"]],
  ["开源", ["chinese"]],
  ["软件", []],
  ["源软件", ["chinese"]],
  ["🦊", ["emoji"]],
  ["🦊 t", ["emoji"]],
  ["six.example", ["latin"]],
  ["https://ten", ["emoji"]],
  ["nothing like it", []],
])("the term %j finds %j", async (searchTerm, expected) => {
  const { status, ids, text } = await openList(
    index.browser,
    `${LIST}?${new URLSearchParams({ searchTerm })}`,
  );

  expect(status).toBe(200);
  expect(ids.toSorted()).toEqual(expected.toSorted());
  if (expected.length === 0) expect(text).toContain(`No results for "${searchTerm.trim()}`);
  else
    expect(text).toContain(
      `${expected.length} ${expected.length === 1 ? "result" : "results"} for "`,
    );
});

test("a term of spaces shows the whole list", async () => {
  const { ids, text } = await openList(index.browser, `${LIST}?searchTerm=+%09+`);

  expect(ids).toHaveLength(Object.keys(SEARCHED).length);
  expect(text).toContain("Showing 12 of 12");
});

test("control characters in a term cause no error", async () => {
  for (const searchTerm of [
    "\u0000",
    "sure\u0000",
    "\u0000sure",
    "su\u0000re",
    '"\u0000"',
    "a\nb",
  ]) {
    const path = `${LIST}?${new URLSearchParams({ searchTerm })}`;
    expect((await openList(index.browser, path)).status).toBe(200);
  }
});

test("a term with markup is shown as text", async () => {
  const searchTerm = `"><script>alert(1)</script>`;

  const response = await index.browser.get(`${LIST}?${new URLSearchParams({ searchTerm })}`);
  const page = await response.text();

  expect(alertScriptsOf(page)).toEqual([]);
  expect(readText(page)).toContain(`No results for "${searchTerm}"`);
  expect(typedIn(page, "searchTerm")).toBe(searchTerm);
});

test("a term of more than 200 characters is cut, and the page says so", async () => {
  const cut = await openList(
    index.browser,
    `${LIST}?${new URLSearchParams({ searchTerm: ARABIC.slice(40, 241) })}`,
  );
  const whole = await openList(
    index.browser,
    `${LIST}?${new URLSearchParams({ searchTerm: ARABIC.slice(40, 240) })}`,
  );

  expect(cut.ids).toEqual(["arabic"]);
  expect(cut.text).toContain("Your search was too long. Only the first 200 characters were used.");
  expect(whole.text).not.toContain("too long");
});
