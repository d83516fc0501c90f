import { expect, test } from "vitest";
import { formatMoney } from "./money-format.ts";

test.each([
  ["en", "-€1,234.50", "KES\u00a00.05", "KWD\u00a01.234"],
  ["fr", "-1\u202f234,50\u00a0€", "0,05\u00a0KES", "1,234\u00a0KWD"],
  [
    "ar",
    "\u200f\u200e-1,234.50\u00a0\u2068€\u2069",
    "\u200f0.05\u00a0\u2068KES\u2069",
    "\u200f1.234\u00a0\u2068د.ك.\u2069\u200f",
  ],
  ["sw", "-€\u00a01,234.50", "Ksh\u00a00.05", "KWD\u00a01.234"],
] as const)("amounts of money in %s", (language, euros, shillings, dinars) => {
  expect(formatMoney({ amount: -123_450, currency: "EUR" }, language)).toBe(euros);
  expect(formatMoney({ amount: 5, currency: "KES" }, language)).toBe(shillings);
  expect(formatMoney({ amount: 1_234, currency: "KWD" }, language)).toBe(dinars);
});
