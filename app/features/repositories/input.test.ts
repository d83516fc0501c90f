import { expect, test } from "vitest";
import { RepositoryInput, RepositoryLink, RepositoryUpdate } from "./input.ts";

const VALID = { name: "gate", link: "github.com/acme/gate" };

function messagesOf(input: object, schema: typeof RepositoryInput = RepositoryInput): string[] {
  return schema.safeParse(input).error?.issues.map(({ message }) => message) ?? [];
}

test.each([
  ["github.com/acme/gate", "https://github.com/acme/gate"],
  ["  github.com  ", "https://github.com/"],
  ["a.bc", "https://a.bc/"],
  ["http://example.com", "http://example.com/"],
  ["HTTPS://Example.COM/Path", "https://example.com/Path"],
  ["https://example.com:8443/x?y=1#z", "https://example.com:8443/x?y=1#z"],
  ["example.com:8080", "https://example.com:8080/"],
  ["git-host.example:3000/acme/gate", "https://git-host.example:3000/acme/gate"],
  ["192.168.1.10:3000", "https://192.168.1.10:3000/"],
  ["//example.com/x", "https://example.com/x"],
  ["مثال.إختبار", "https://xn--mgbh0fb.xn--kgbechtv/"],
  ["example.com/a b", "https://example.com/a%20b"],
  ['example.com/"><script>', "https://example.com/%22%3E%3Cscript%3E"],
  ["example.com/user@host", "https://example.com/user@host"],
])("the link %s becomes %s", (link, absolute) => {
  expect(RepositoryLink.parse(link)).toBe(absolute);
});

test.each([
  [undefined, "validation:link.required"],
  ["", "validation:link.required"],
  [" \n ", "validation:link.required"],
  ["a.b", "validation:link.short?min=4"],
  ["  a.b  ", "validation:link.short?min=4"],
  ["gate", "validation:link.dot"],
  ["https://localhost", "validation:link.dot"],
  ["javascript:alert(1)", "validation:link.dot"],
  [`a.b/${"x".repeat(2_045)}`, "validation:tooLong?maximum=2048"],
  // Short enough as typed, too long after it is made absolute.
  [`a.b/${"م".repeat(1_000)}`, "validation:link.invalid"],
  ["javascript:alert(1).x", "validation:link.invalid"],
  ["JavaScript:alert(1).x", "validation:link.invalid"],
  ["java\nscript:alert(1).x", "validation:link.invalid"],
  ["\u0001javascript:alert(1).x", "validation:link.invalid"],
  ["javascript:1.x", "validation:link.invalid"],
  ["javascript://example.com/%0aalert(1)", "validation:link.invalid"],
  ["data:text/html,<script>x.y</script>", "validation:link.invalid"],
  ["vbscript:x.y", "validation:link.invalid"],
  ["file:///etc/passwd.txt", "validation:link.invalid"],
  ["ftp://example.com", "validation:link.invalid"],
  ["mailto:ada@example.com", "validation:link.invalid"],
  ["blob:https://example.com/x", "validation:link.invalid"],
  ["https://ada:secret@example.com", "validation:link.invalid"],
  ["https://ada@example.com", "validation:link.invalid"],
  ["https://:secret@example.com", "validation:link.invalid"],
  ["ada:1234@example.com", "validation:link.invalid"],
  ["github.com@evil.example", "validation:link.invalid"],
  ["https://localhost/x.y", "validation:link.invalid"],
  ["localhost:3000/x.y", "validation:link.invalid"],
  ["example.com:99999", "validation:link.invalid"],
  ["exa mple.com", "validation:link.invalid"],
  ["https://[::1]/x.y", "validation:link.invalid"],
  ["....", "validation:link.invalid"],
  ["https://./x", "validation:link.invalid"],
])("the link %j is refused with %s", (link, message) => {
  expect(messagesOf({ ...VALID, link })).toEqual([message]);
});

test.each([
  ["gate", "gate"],
  ["  Gate \t  house\n", "Gate house"],
  ["e\u0301cole", "école"],
  ["مكتبة", "مكتبة"],
  ["日本語", "日本語"],
  ["100% <b>", "100% <b>"],
  ["x".repeat(100), "x".repeat(100)],
])("the name %j is saved as %j", (name, kept) => {
  expect(RepositoryInput.parse({ ...VALID, name }).name).toBe(kept);
});

test.each([
  [undefined, "validation:name.required"],
  ["", "validation:name.required"],
  [" \u00a0\n", "validation:name.required"],
  ["x".repeat(101), "validation:tooLong?maximum=100"],
  ["ga\u0000te", "validation:name.invalid"],
  ["ga\u001bte", "validation:name.invalid"],
])("the name %j is refused with %s", (name, message) => {
  expect(messagesOf({ ...VALID, name })).toEqual([message]);
});

test.each([
  [undefined, null],
  ["", null],
  ["  \r\n ", null],
  [" one\r\ntwo\n\nthree ", "one\ntwo\n\nthree"],
])("the description %j is saved as %j", (description, kept) => {
  expect(RepositoryInput.parse({ ...VALID, description }).description).toBe(kept);
});

test("a description has up to 2,000 characters, and a line break counts as one", () => {
  const description = "x\r\n".repeat(1_000);

  expect(RepositoryInput.parse({ ...VALID, description }).description).toHaveLength(1_999);
  expect(messagesOf({ ...VALID, description: "x".repeat(2_001) })).toEqual([
    "validation:tooLong?maximum=2000",
  ]);
});

test("other posted fields are ignored", () => {
  const posted = { ...VALID, id: "1", version: "9", nameKey: "x", createdAt: "0" };

  expect(Object.keys(RepositoryInput.parse(posted)).sort()).toEqual([
    "description",
    "link",
    "name",
  ]);
});

test.each(["1.5", "x", "1e400", "9007199254740993"])("%j is not a version", (version) => {
  expect(RepositoryUpdate.safeParse({ ...VALID, version }).success).toBe(false);
});
