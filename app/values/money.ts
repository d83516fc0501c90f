import { readTypedNumber } from "./typed-number.ts";

/** An amount of money: a safe integer in the currency's smallest unit, such as cents, and an ISO 4217 code. */
export type Money = { amount: number; currency: string };

/** Currencies that fields offer and programs may send (ISO 4217), sorted. */
export const CURRENCIES = [
  "AED",
  "AUD",
  "BHD",
  "BIF",
  "BRL",
  "CAD",
  "CDF",
  "CHF",
  "CNY",
  "DKK",
  "DZD",
  "EGP",
  "ETB",
  "EUR",
  "GBP",
  "GHS",
  "ILS",
  "INR",
  "IQD",
  "JOD",
  "JPY",
  "KES",
  "KRW",
  "KWD",
  "LBP",
  "LYD",
  "MAD",
  "MXN",
  "NGN",
  "NOK",
  "OMR",
  "PLN",
  "QAR",
  "RWF",
  "SAR",
  "SEK",
  "TND",
  "TRY",
  "TZS",
  "UGX",
  "USD",
  "XAF",
  "XOF",
  "ZAR",
] as const;

/** Currencies without two decimal places (ISO 4217). The runtime's own table may be another one in a browser. */
const DIGITS = new Map([
  ["BHD", 3],
  ["BIF", 0],
  ["IQD", 3],
  ["JOD", 3],
  ["JPY", 0],
  ["KRW", 0],
  ["KWD", 3],
  ["LYD", 3],
  ["OMR", 3],
  ["RWF", 0],
  ["TND", 3],
  ["UGX", 0],
  ["XAF", 0],
  ["XOF", 0],
]);

/** Returns a currency's number of decimal places. */
export function digitsOf(currency: string): number {
  return DIGITS.get(currency) ?? 2;
}

/** True for an amount of money that was read from JSON. */
export function isMoney(value: unknown): value is Money {
  const { amount, currency, ...more } = Object(value);
  return (
    Number.isSafeInteger(amount) &&
    typeof currency === "string" &&
    /^[A-Z]{3}$/.test(currency) &&
    Object.keys(more).length === 0
  );
}

/**
 * Reads an amount as people type it: "1,234.50", "1.234,50", "1 234,50", "١٬٢٣٤٫٥٠". Undefined for anything else, also
 * for more decimal places than the currency has.
 */
export function readMoney(typed: string, currency: string): Money | undefined {
  const amount = readTypedNumber(typed, digitsOf(currency));
  return amount === undefined ? undefined : { amount, currency };
}

/** Writes an amount for files and records: "120.50 EUR". Screens have the reader's format. */
export function writeMoney(money: Money): string {
  return `${plainAmount(money)} ${money.currency}`;
}

/** Writes an amount as the values of a form's amount and currency, joined as `parseForm` joins them: "120.50,EUR". */
export function typedMoney(money: Money): string {
  return `${plainAmount(money)},${money.currency}`;
}

function plainAmount({ amount, currency }: Money): string {
  const digits = digitsOf(currency);
  const text = String(Math.abs(amount)).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const decimals = digits > 0 ? `.${text.slice(-digits)}` : "";
  return `${amount < 0 ? "-" : ""}${whole}${decimals}`;
}
