import { expect, test } from "vitest";
import { Email } from "../../../values/email.ts";
import { Code } from "../gateway/input.ts";
import { normalizeCode } from "./code.ts";

test.each([
  ["123456", "123456"],
  ["123 456", "123456"],
  ["123-456", "123456"],
  [" 123\u00a0456\n", "123456"],
  ["123\u2013456", "123456"],
  ["١٢٣٤٥٦", "123456"],
  ["۱۲۳۴۵۶", "123456"],
  ["\u200f١٢٣ ٤٥٦\u200e", "123456"],
])("%j is read as the code %s", (typed, code) => {
  expect(normalizeCode(typed)).toBe(code);
  expect(Code.parse(typed)).toBe(code);
});

test.each([
  [undefined, "validation:code.required"],
  ["", "validation:code.required"],
  ["  - ", "validation:code.required"],
  ["12345", "validation:code.length"],
  ["1234567", "validation:code.length"],
  ["12345a", "validation:code.invalid"],
  ["1".repeat(1_000), "validation:code.length"],
])("%j is refused with %s", (typed, message) => {
  expect(Code.safeParse(typed).error?.issues.map((issue) => issue.message)).toEqual([message]);
});

test("an e-mail is trimmed and lower-cased", () => {
  expect(Email.parse("  Ada@Example.COM ")).toBe("ada@example.com");
});

test.each([
  [undefined, "validation:email.required"],
  ["   ", "validation:email.required"],
  ["ada", "validation:email.invalid"],
  ["ada@example", "validation:email.invalid"],
  ["a\r\nBcc: b@example.com", "validation:email.invalid"],
  [`${"a".repeat(250)}@example.com`, "validation:tooLong?maximum=254"],
])("the e-mail %j is refused with %s", (typed, message) => {
  expect(Email.safeParse(typed).error?.issues.map((issue) => issue.message)).toEqual([message]);
});
