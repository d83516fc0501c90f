import { expect, test } from "vitest";
import { z } from "zod";
import { countFields, fieldsOf, hidden, readFields } from "./form-fields.ts";

const URLENCODED = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=x";

const Change = z.discriminatedUnion("intent", [
  z
    .object({
      intent: z.literal("ban"),
      id: z
        .array(z.string())
        .min(1)
        .transform((ids) => new Set(ids)),
      reason: z.string().trim().optional(),
    })
    .transform((ban) => ban)
    .refine(({ reason }) => reason !== "x"),
  z.object({ intent: z.literal("save"), version: hidden(z.coerce.number().int()) }),
]);

function aForm(...fields: [string, string | File][]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

test("a schema's fields are the fields of all its options", () => {
  expect([...fieldsOf(Change)]).toEqual([
    ["intent", { isList: false, isHidden: true }],
    ["id", { isList: true, isHidden: false }],
    ["reason", { isList: false, isHidden: false }],
    ["version", { isList: false, isHidden: true }],
  ]);
});

test("fields outside the schema are not read", () => {
  const names = ["__proto__", "constructor", "__intent__", "__state__", "id[0]", "reason.x", "a"];
  const form = aForm(...names.map((name): [string, string] => [name, "x"]));

  expect(readFields(form, fieldsOf(Change))).toEqual({ id: [] });
});

test("a repeated field counts once, the first; a list takes all; an empty text is absent", () => {
  const form = aForm(
    ["intent", "ban"],
    ["intent", "save"],
    ["id", "1"],
    ["id", ""],
    ["id", "2"],
    ["reason", ""],
    ["reason", "late"],
  );

  expect(readFields(form, fieldsOf(Change))).toEqual({ intent: "ban", id: ["1", "2"] });
});

test("a file in a text field is an invalid value", () => {
  const form = aForm(["intent", "ban"], ["id", "1"], ["reason", new File(["x"], "reason.txt")]);
  const parsed = Change.safeParse(readFields(form, fieldsOf(Change)));

  expect(parsed.error?.issues.map(({ path }) => path)).toEqual([["reason"]]);
});

test.each([
  ["", 1],
  ["a=1", 1],
  ["a&b&c", 3],
  ["a&".repeat(1_000), 1_001],
])("%j has so many fields: %i", (body, count) => {
  expect(countFields(new TextEncoder().encode(body), URLENCODED)).toBe(count);
});

test.each([1, 3, 300])("a multipart body of %i parts has as many fields", async (count) => {
  const form = aForm(
    ...Array.from({ length: count }, (_, at): [string, string] => [`f${at}`, "ü"]),
  );
  const response = new Response(form);
  const type = response.headers.get("content-type") ?? "";

  expect(countFields(new Uint8Array(await response.arrayBuffer()), type)).toBe(count);
});

test("the fields of a multipart body are counted as a parser counts them, for any boundary", async () => {
  const body = '--x\r\ncontent-DISPOSITION: form-data; name="a"\r\n\r\n1\r\n'.repeat(5);
  const bytes = new TextEncoder().encode(`${body}--x--\r\n`);
  const parsed = await new Response(bytes, { headers: { "content-type": MULTIPART } }).formData();

  expect(countFields(bytes, MULTIPART)).toBe([...parsed].length);
});
