import { expect, test } from "vitest";
import { readLines } from "./read-lines.server.ts";

const encoder = new TextEncoder();

function read(file: string | Uint8Array) {
  return readLines(typeof file === "string" ? encoder.encode(file) : file);
}

async function linesOf(file: string) {
  const found = await read(file);
  return found.ok ? found.lines.map(({ line, cells }) => [line, cells]) : found.error;
}

const PLAIN = [
  [1, ["email", "name"]],
  [2, ["a@example.com", "Amina"]],
  [3, ["b@example.com", "Baraka"]],
];

test.each([
  ["commas", "email,name\na@example.com,Amina\nb@example.com,Baraka\n"],
  ["semicolons", "email;name\na@example.com;Amina\nb@example.com;Baraka"],
  [
    "tabs, as copied from a spreadsheet",
    "email\tname\na@example.com\tAmina\nb@example.com\tBaraka",
  ],
  ["CRLF", "email,name\r\na@example.com,Amina\r\nb@example.com,Baraka\r\n"],
  ["CR alone", "email,name\ra@example.com,Amina\rb@example.com,Baraka\r"],
  ["a byte order mark", "\ufeffemail,name\na@example.com,Amina\nb@example.com,Baraka"],
  ["sep=", "sep=;\r\nemail;name\r\na@example.com;Amina\r\nb@example.com;Baraka"],
  ["a mark and sep=", "\ufeffsep=;\nemail;name\na@example.com;Amina\nb@example.com;Baraka"],
  ["quoted cells", '"email","name"\n"a@example.com","Amina"\n"b@example.com","Baraka"\n'],
])("a file with %s is read", async (_name, file) => {
  expect(await linesOf(file)).toEqual(PLAIN);
});

test("quoted cells hold separators, doubled quotation marks and line breaks", async () => {
  const file = 'a@x.yz,"Doe, ""J"";\tJane"\r\nb@x.yz,"two\r\nlines"\r\n"c@x.yz",\n';

  expect(await linesOf(file)).toEqual([
    [1, ["a@x.yz", 'Doe, "J";\tJane']],
    [2, ["b@x.yz", "two\nlines"]],
    [3, ["c@x.yz", ""]],
  ]);
});

test("a quotation mark inside a cell is a character", async () => {
  expect(await linesOf('a@x.yz,5" disk\nb@x.yz,"two\nlines"\n')).toEqual([
    [1, ["a@x.yz", '5" disk']],
    [2, ["b@x.yz", "two\nlines"]],
  ]);
});

test("letters of any script stay whole", async () => {
  expect(await linesOf("a@x.yz,زهرة الصباح\nb@x.yz,Zoë 🙂\n")).toEqual([
    [1, ["a@x.yz", "زهرة الصباح"]],
    [2, ["b@x.yz", "Zoë 🙂"]],
  ]);
});

test("empty lines are counted but not returned, also those of separators alone", async () => {
  expect(await linesOf("a@x.yz,A\n\n,\n  , \nb@x.yz,B\n\n")).toEqual([
    [1, ["a@x.yz", "A"]],
    [5, ["b@x.yz", "B"]],
  ]);
});

test("one column needs no separator", async () => {
  expect(await linesOf("a@x.yz\nb@x.yz\n")).toEqual([
    [1, ["a@x.yz"]],
    [2, ["b@x.yz"]],
  ]);
});

test.each([
  ["UTF-16 with a mark", new Uint8Array([0xff, 0xfe, 0x61, 0x00, 0x40, 0x00])],
  ["UTF-16 without a mark", new Uint8Array([0x61, 0x00, 0x40, 0x00])],
  ["Windows-1252", new Uint8Array([0x61, 0x2c, 0x5a, 0x6f, 0xeb, 0x0a])],
  ["a letter without its end", new Uint8Array([0x61, 0x0a, 0xc3])],
])("%s is refused", async (_name, bytes) => {
  expect(await read(bytes)).toEqual({ ok: false, error: "import:problem.encoding" });
});

test("an unclosed quotation mark is told with its line", async () => {
  const file = 'a@x.yz,"two\nlines"\nb@x.yz,"B\nc@x.yz,C\n';
  expect(await linesOf(file)).toBe("import:problem.quote?line=2");
});

test("long cells and further columns are cut", async () => {
  const found = await read(`${"x".repeat(5_000)}${",y".repeat(80)}`);

  const cells = found.ok ? found.lines[0]?.cells : [];
  expect(cells).toHaveLength(50);
  expect(cells?.[0]).toHaveLength(1_000);
});

test("an empty file has no lines", async () => {
  for (const file of ["", "\ufeff", "\n\n", "sep=;\n"]) {
    expect(await linesOf(file)).toEqual([]);
  }
});

test("ten thousand lines arrive in order", async () => {
  const file = Array.from(
    { length: 10_000 },
    (_, index) => `p${index}@example.com;"Person; ${index}"\r\n`,
  ).join("");

  const lines = await linesOf(file);

  expect(lines).toHaveLength(10_000);
  expect(lines[0]).toEqual([1, ["p0@example.com", "Person; 0"]]);
  expect(lines[9_999]).toEqual([10_000, ["p9999@example.com", "Person; 9999"]]);
});
