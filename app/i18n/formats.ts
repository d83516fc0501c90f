import { formatLocaleOf, type Language } from "./languages.ts";

const UNITS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const formats = new Map<Language, Formats>();

/** Returns the number and date formats of a language. Dates are in UTC. */
export function formatsOf(language: Language): Formats {
  const made = formats.get(language) ?? makeFormats(formatLocaleOf(language));
  formats.set(language, made);
  return made;
}

type Formats = ReturnType<typeof makeFormats>;

function makeFormats(locale: string) {
  const number = once(() => new Intl.NumberFormat(locale));
  const signed = once(() => new Intl.NumberFormat(locale, { signDisplay: "always" }));
  const minutes = once(() => quantityFormat("minute"));
  const hours = once(() => quantityFormat("hour"));
  const list = once(() => new Intl.ListFormat(locale, { type: "conjunction" }));
  const day = once(() => dateFormat({ dateStyle: "medium" }));
  const longDay = once(() => dateFormat({ dateStyle: "long" }));
  const moment = once(() => dateFormat({ dateStyle: "medium", timeStyle: "short" }));
  const longMoment = once(() => dateFormat({ dateStyle: "long", timeStyle: "short" }));
  const distance = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));

  function quantityFormat(unit: "minute" | "hour") {
    return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
  }

  function dateFormat(options: Intl.DateTimeFormatOptions) {
    return new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
  }

  return {
    number: (value: number) => number().format(value),
    /** A number with its sign, also for zero. */
    signed: (value: number) => signed().format(value),
    /** A number with its unit in words: "3 hours". */
    quantity: (value: number, unit: "minute" | "hour") =>
      (unit === "hour" ? hours() : minutes()).format(value),
    /** Texts joined to a list: "Ada, Grace and Lina". */
    list: (texts: string[]) => list().format(texts),
    day: (date: Date) => day().format(date),
    longDay: (date: Date) => longDay().format(date),
    /** Date and time to the minute, with "UTC". */
    moment: (date: Date) => `${moment().format(date)} UTC`,
    longMoment: (date: Date) => `${longMoment().format(date)} UTC`,
    /** Distance of a date from now, in the largest unit that fits: "3 days ago". */
    ago(date: Date, now: Date): string {
      const seconds = (date.getTime() - now.getTime()) / 1_000;
      const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [
        "minute",
        60,
      ];
      return distance().format(Math.trunc(seconds / size), unit);
    },
  };
}

/**
 * Returns a function that makes a value on the first call and keeps it, because a formatter costs far more to make than
 * to use.
 */
function once<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
