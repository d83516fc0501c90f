import { expect, test } from "vitest";
import { joinTexts } from "../../../scripts/join-texts.ts";
import { LANGUAGES } from "../../i18n/languages.ts";
import { AUDIT_FIELDS, changesOf, nameIn, shorten, writeChange } from "./changes.ts";

test("a change lists only the changed fields, with old and new value", () => {
  const details = {
    before: { name: "Ada", email: "ada@example.com", description: null },
    after: { name: "Grace", email: "ada@example.com", description: "Compilers" },
  };

  const changes = changesOf(details);

  expect(changes).toEqual([
    { field: "name", before: "Ada", after: "Grace" },
    { field: "description", before: null, after: "Compilers" },
  ]);
  expect(changes.map(writeChange)).toEqual(["name: Ada → Grace", "description: - → Compilers"]);
});

test("a creation or deletion lists every field except internal ones", () => {
  const row = { id: "r1", name: "gate", nameKey: "gate", searchKey: "gate", version: 3, link: "x" };

  expect(changesOf({ before: row })).toEqual([
    { field: "name", before: "gate" },
    { field: "link", before: "x" },
  ]);
  expect(changesOf({ after: { name: "gate" } })).toEqual([{ field: "name", after: "gate" }]);
});

test("details other than changed fields are lines of their own", () => {
  expect(changesOf({ reason: "Spam", until: null, tries: 3 })).toEqual([
    { field: "reason", after: "Spam" },
    { field: "until", after: null },
    { field: "tries", after: "3" },
  ]);
  expect(changesOf(null)).toEqual([]);
  expect(changesOf({ before: "not a record", after: ["nor", "this"] })).toEqual([]);
});

test.each([
  [{ before: { name: "old" }, after: { name: "new" } }, "new"],
  [{ before: { name: "gone" } }, "gone"],
  [{ name: "", email: "ada@example.com" }, "ada@example.com"],
  [{ reason: "Spam" }, undefined],
  [null, undefined],
])("the name in %j is %s", (details, name) => {
  expect(nameIn(details)).toBe(name);
});

test.each(LANGUAGES)("every field of an event has a label in %s", (language) => {
  const labels = AUDIT_FIELDS.map((field) => [field, expect.any(String)]);

  expect(joinTexts(language).logs).toMatchObject({ audit: { fields: Object.fromEntries(labels) } });
});

test("a long value is shortened at its own end, in whole characters", () => {
  expect(shorten("Amina", 5)).toBe("Amina");
  expect(shorten("Wolfeschlegel", 5)).toBe("Wolfe…");
  expect(shorten("زهراء Zawadi", 8)).toBe("زهراء Za…");
  expect(shorten("🏡🏡🏡", 2)).toBe("🏡🏡…");
});
