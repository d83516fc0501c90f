import { expect, test } from "vitest";
import { CURRENCIES, digitsOf, isMoney, readMoney, typedMoney, writeMoney } from "./money.ts";

test.each([
  ["0", "EUR", 0],
  ["-0", "EUR", 0],
  ["120", "EUR", 12_000],
  ["120.5", "EUR", 12_050],
  ["120,50", "EUR", 12_050],
  [".5", "EUR", 50],
  ["1234.50", "EUR", 123_450],
  ["1,234.50", "EUR", 123_450],
  ["1.234,50", "EUR", 123_450],
  ["1 234,50", "EUR", 123_450],
  ["1\u00a0234,50", "EUR", 123_450],
  ["1\u202f234,50", "EUR", 123_450],
  ["1'234.50", "EUR", 123_450],
  ["1’234.50", "EUR", 123_450],
  ["1,234", "EUR", 123_400],
  ["1.234", "EUR", 123_400],
  ["1,234,567", "EUR", 123_456_700],
  ["12.345.678,9", "EUR", 1_234_567_890],
  ["١٬٢٣٤٫٥٠", "EUR", 123_450],
  ["۱۲۰٫۵", "EUR", 12_050],
  [" 12.00 ", "EUR", 1_200],
  ["-120.50", "EUR", -12_050],
  ["−120.50", "EUR", -12_050],
  ["\u200f-12", "EUR", -1_200],
  ["1,234", "JPY", 1_234],
  ["1 234", "KRW", 1_234],
  // Three decimal places are as long as a group: the last separator is the decimal one.
  ["1,234", "KWD", 1_234],
  ["1,234,567", "KWD", 1_234_567_000],
  ["1 234", "KWD", 1_234_000],
  ["1,234.567", "KWD", 1_234_567],
  ["1.5", "KWD", 1_500],
  ["90071992547409.91", "EUR", Number.MAX_SAFE_INTEGER],
])("%j in %s is %i", (typed, currency, amount) => {
  expect(readMoney(typed, currency)).toEqual({ amount, currency });
});

test.each([
  ["", "EUR"],
  ["-", "EUR"],
  [".", "EUR"],
  ["abc", "EUR"],
  ["12 EUR", "EUR"],
  ["€12", "EUR"],
  ["1.", "EUR"],
  ["1.2345", "EUR"],
  ["0.123", "EUR"],
  ["0,123", "EUR"],
  ["1,23,4", "EUR"],
  ["1,23.40", "EUR"],
  ["1,2345.60", "EUR"],
  ["12,34,567", "EUR"],
  ["1.234,567.89", "EUR"],
  ["1 23", "EUR"],
  ["1٫234", "EUR"],
  ["--1", "EUR"],
  ["1-", "EUR"],
  ["+1", "EUR"],
  ["1e3", "EUR"],
  ["1.5", "JPY"],
  ["90071992547409.92", "EUR"],
])("%j is no amount in %s", (typed, currency) => {
  expect(readMoney(typed, currency)).toBeUndefined();
});

test.each([
  [{ amount: 12_050, currency: "EUR" }, "120.50 EUR"],
  [{ amount: 5, currency: "EUR" }, "0.05 EUR"],
  [{ amount: 0, currency: "EUR" }, "0.00 EUR"],
  [{ amount: -5, currency: "EUR" }, "-0.05 EUR"],
  [{ amount: 1_234, currency: "JPY" }, "1234 JPY"],
  [{ amount: 0, currency: "JPY" }, "0 JPY"],
  [{ amount: 1_234_567, currency: "KWD" }, "1234.567 KWD"],
  [{ amount: Number.MAX_SAFE_INTEGER, currency: "EUR" }, "90071992547409.91 EUR"],
])("%j is written as %s", (money, written) => {
  expect(writeMoney(money)).toBe(written);
});

test.each(CURRENCIES)("a typed amount in %s is read as it was", (currency) => {
  const money = { amount: -1_234_567, currency };

  const [typed = "", code = ""] = typedMoney(money).split(",");

  expect(readMoney(typed, code)).toEqual(money);
});

/** ICU writes these without the decimal places that ISO 4217 gives them. */
const WITHOUT_IN_ICU = ["IQD", "LBP"];

test("the currencies are sorted, and have the decimal places that the runtime knows", () => {
  const known = CURRENCIES.filter((currency) => !WITHOUT_IN_ICU.includes(currency));
  const formats = known.map((currency) =>
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions(),
  );

  expect(known.map(digitsOf)).toEqual(formats.map((one) => one.maximumFractionDigits));
  expect([...CURRENCIES].sort()).toEqual(CURRENCIES);
});

test("money is a whole amount and a currency, and nothing else", () => {
  const money = { amount: -12_050, currency: "EUR" };

  expect(isMoney(money)).toBe(true);
  for (const other of [
    null,
    "120.50 EUR",
    [12_050, "EUR"],
    { amount: 12_050 },
    { amount: 120.5, currency: "EUR" },
    { amount: 12_050, currency: "euro" },
    { amount: 12_050, currency: "EUR", name: "gate" },
  ]) {
    expect(isMoney(other)).toBe(false);
  }
});
