import { expect, test } from "vitest";
import { joinTexts } from "../../../scripts/join-texts.ts";
import { formatsOf } from "../../i18n/formats.ts";
import { LANGUAGES } from "../../i18n/languages.ts";
import {
  AUDIT_FIELDS,
  changesOf,
  nameIn,
  plainChangesOf,
  shorten,
  writeChange,
  writeValue,
} from "./changes.ts";

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

test("an amount of money is one value, which a file has plain", () => {
  const price = { amount: 12_050, currency: "EUR" };
  const details = {
    before: { price, fee: price, isPaid: false },
    after: { price: { currency: "EUR", amount: 13_000 }, fee: { ...price }, isPaid: true },
  };

  const changes = changesOf(details);

  expect(changes).toEqual([
    { field: "price", before: price, after: { amount: 13_000, currency: "EUR" } },
    { field: "isPaid", before: "false", after: "true" },
  ]);
  expect(changes.map(writeChange)).toEqual([
    "price: 120.50 EUR → 130.00 EUR",
    "isPaid: false → true",
  ]);
  expect(plainChangesOf(details)[0]).toEqual({
    field: "price",
    before: "120.50 EUR",
    after: "130.00 EUR",
  });
  expect(changesOf({ after: { due: "2026-11-28" } }).map(writeChange)).toEqual(["due: 2026-11-28"]);
});

test.each([
  [{ amount: 12_050, currency: "EUR" }, "€120.50"],
  ["2026-11-28", "28 Nov 2026"],
  ["2026-02-30", "2026-02-30"],
  ["due 2026-11-28", "due 2026-1…"],
  ["2026-11-28T02:00:00.000Z", "27 Nov 2026, 21:00"],
  ["120.50 EUR", "120.50 EUR"],
])("a screen shows the value %j as %s", (value, shown) => {
  const formats = {
    language: "en" as const,
    moments: formatsOf("en", "America/Lima"),
    days: formatsOf("en"),
  };

  expect(writeValue(value, { ...formats, length: 10 })).toBe(shown);
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
