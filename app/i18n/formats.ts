import { formatLocaleOf, type Language } from "./languages.ts";

const UNITS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Writes numbers, days and moments as a language does. Days and moments are in UTC. */
export function formatsOf(language: Language) {
  const locale = formatLocaleOf(language);
  const write = (date: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }).format(date);
  return {
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    /** A number with its sign, zero included. */
    signed: (value: number) =>
      new Intl.NumberFormat(locale, { signDisplay: "always" }).format(value),
    /** A quantity with its unit in words: "3 hours". */
    quantity: (value: number, unit: "minute" | "hour") =>
      new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(value),
    /** Texts as one enumeration: "Ada, Grace and Lina". */
    list: (texts: string[]) => new Intl.ListFormat(locale, { type: "conjunction" }).format(texts),
    day: (date: Date) => write(date, { dateStyle: "medium" }),
    longDay: (date: Date) => write(date, { dateStyle: "long" }),
    /** A moment to the minute; names UTC. */
    moment: (date: Date) => `${write(date, { dateStyle: "medium", timeStyle: "short" })} UTC`,
    longMoment: (date: Date) => `${write(date, { dateStyle: "long", timeStyle: "short" })} UTC`,
    /** The distance of a moment from now, in the largest unit that fits: "3 days ago". */
    ago(date: Date, now: Date): string {
      const seconds = (date.getTime() - now.getTime()) / 1_000;
      const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [
        "minute",
        60,
      ];
      return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(
        Math.trunc(seconds / size),
        unit,
      );
    },
  };
}
