import { expect, test } from "vitest";
import { csvLine, csvResponse } from "./csv.ts";

test.each([
  ["=HYPERLINK(1)", `"'=HYPERLINK(1)"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@x", `"'@x"`],
  ["\tx", `"'\tx"`],
  ["\t=1", `"'\t'=1"`],
  ["\r\n=1", `"'\r'\n'=1"`],
  [" =1", `"' =1"`],
  ["＝1", `"'＝1"`],
  ["＋1", `"'＋1"`],
  ["－1", `"'－1"`],
  ["＠x", `"'＠x"`],
  ["\u200b=1", `"'\u200b=1"`],
  ["\ufeff\u00a0\u2060=1", `"'\ufeff\u00a0\u2060=1"`],
  ["\u0000=1", `"'\u0000=1"`],
  ["x;=1+1;y", `"x;'=1+1;y"`],
  ["x; ＝1", `"x;' ＝1"`],
  ["x\t=1", `"x\t'=1"`],
  ["x\r=1", `"x\r'=1"`],
  ["x\n@y", `"x\n'@y"`],
  ['x;"=1"', `"x;'""=1"""`],
  ["a;b", "a;b"],
  ["1+1=2", "1+1=2"],
  ["a - b @ c", "a - b @ c"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["=1,2", `"'=1,2"`],
  ["two\nlines", '"two\nlines"'],
  ["بوابة", "بوابة"],
])("%j is written to the file as %s", (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`);
});

test("numbers, dates and null are written plainly", () => {
  expect(csvLine([-1, new Date(0), null, undefined])).toBe("-1,1970-01-01T00:00:00.000Z,,\r\n");
});

test("a file begins with the UTF-8 mark and its header, then one chunk after another", async () => {
  async function* pages() {
    yield [["a"], ["b"]];
    yield [["c"]];
  }
  const response = csvResponse("x", { header: ["letter"], rows: pages() }, fail);
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="x.csv"');
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toBe(
    "\ufeffletter\r\na\r\nb\r\nc\r\n",
  );
});

test("a file whose rows fail is aborted, and the error is reported", async () => {
  const cause = new Error("params: jane.doe@example.com");
  async function* pages() {
    yield [["a"]];
    throw cause;
  }
  const failures: unknown[] = [];
  const response = csvResponse("x", { header: ["letter"], rows: pages() }, (error) =>
    failures.push(error),
  );

  await expect(response.text()).rejects.toThrow("The download broke off");
  expect(failures).toEqual([cause]);
});

function fail(error: unknown) {
  throw error;
}
