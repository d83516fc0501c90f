import { expect, test } from "vitest";
import { csvLine, csvResponse } from "./csv.ts";

test.each([
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@x", "'@x"],
  ["\tx", "'\tx"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["=1,2", '"\'=1,2"'],
  ["two\nlines", '"two\nlines"'],
  ["بوابة", "بوابة"],
])("%j stands in a file as %s", (value, cell) => {
  expect(csvLine([value])).toBe(`${cell}\r\n`);
});

test("numbers, dates and nothing are written plainly", () => {
  expect(csvLine([-1, new Date(0), null, undefined])).toBe("-1,1970-01-01T00:00:00.000Z,,\r\n");
});

test("a file begins with the mark of UTF-8 and its header, then one stretch after another", async () => {
  async function* pages() {
    yield [["a"], ["b"]];
    yield [["c"]];
  }
  const response = csvResponse("x", ["letter"], pages());
  expect(response.headers.get("content-disposition")).toBe('attachment; filename="x.csv"');
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toBe(
    "\ufeffletter\r\na\r\nb\r\nc\r\n",
  );
});
