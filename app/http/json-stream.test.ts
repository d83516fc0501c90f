import { expect, test } from "vitest";
import { type JsonMembers, writeJson } from "./json-stream.ts";

async function* chunks(...lists: unknown[][]) {
  yield* lists;
}

async function write(members: JsonMembers): Promise<string> {
  let text = "";
  for await (const piece of writeJson(members)) text += piece;
  return text;
}

test.each<[string, JsonMembers, unknown]>([
  ["nothing", {}, {}],
  [
    "values",
    { a: 1, b: null, c: undefined, d: { e: ["f"] } },
    { a: 1, b: null, c: null, d: { e: ["f"] } },
  ],
  ["moments", { at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
  ["a list without items", { list: chunks([], []) }, { list: [] }],
  [
    "a list in chunks",
    { list: chunks([1], [], [2, 3]), end: true },
    { list: [1, 2, 3], end: true },
  ],
  ["what would break a text", { 'a"': 'b"\n\u2028</script>' }, { 'a"': 'b"\n\u2028</script>' }],
])("%s is written as JSON", async (_name, members, expected) => {
  expect(JSON.parse(await write(members))).toEqual(expected);
});

test("a broken stream is no valid document", async () => {
  async function* broken() {
    yield [1, 2];
    throw new Error("The database is away");
  }
  const pieces: string[] = [];
  await expect(async () => {
    for await (const piece of writeJson({ list: broken() })) pieces.push(piece);
  }).rejects.toThrow("away");

  expect(pieces.join("")).toContain("2");
  expect(() => JSON.parse(pieces.join(""))).toThrow();
});

test("the next chunk is read when the one before was consumed", async () => {
  let fetched = 0;
  async function* counted() {
    for (; fetched < 5; ) {
      fetched += 1;
      yield [fetched];
    }
  }
  const pieces = writeJson({ list: counted() });
  // The object's brace, the name, the list's bracket, the first chunk.
  for (let count = 0; count < 4; count++) await pieces.next();

  expect(fetched).toBe(1);
});
