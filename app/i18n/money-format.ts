import { digitsOf, type Money } from "../values/money.ts";
import { formatLocaleOf, type Language } from "./languages.ts";

const kept = new Map<string, Intl.NumberFormat>();

/** Writes an amount of money with the sign of its currency. It is not with the other formats, because few pages need it. */
export function formatMoney({ amount, currency }: Money, language: Language): string {
  const locale = formatLocaleOf(language);
  return currencyFormat(locale, currency)
    .formatToParts(amount / 10 ** digitsOf(currency))
    .map(({ type, value }) => (type === "currency" ? inOneDirection(locale, value) : value))
    .join("");
}

function currencyFormat(locale: string, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`;
  const format = kept.get(key) ?? makeFormat(locale, currency);
  kept.set(key, format);
  return format;
}

function makeFormat(locale: string, currency: string): Intl.NumberFormat {
  // The runtime's own number of decimal places may be another one.
  const digits = digitsOf(currency);
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Right-to-left text would tear a sign such as "US$" apart (Unicode FSI and PDI). */
function inOneDirection(locale: string, sign: string): string {
  return locale.startsWith("ar") ? `\u2068${sign}\u2069` : sign;
}
