import { formatLocaleOf, type Language } from "./languages.ts";

const YEAR = 365 * 86_400;
const MONTH = YEAR / 12;

/** Units of distances, in seconds, and from which distance each is used. One year would say too little of 23 months. */
const UNITS = [
  ["year", YEAR, 2 * YEAR],
  ["month", MONTH, MONTH],
  ["week", 7 * 86_400, 7 * 86_400],
  ["day", 86_400, 86_400],
  ["hour", 3_600, 3_600],
  ["minute", 60, 60],
] as const;

/** A day: "12 Mar 2025". `dateStyle: "medium"` writes Arabic months as numbers. */
const DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "short", year: "numeric" };
/** A day of a year that is known. */
const SHORT_DAY: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
const LONG_DAY: Intl.DateTimeFormatOptions = {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
};

/** Under a minute counts as no seconds. */
const NOW = ["second", 60] as const;

const NEAR_MS = 7 * 86_400_000;

const formats = new Map<Language, Formats>();

/** Returns the number and date formats of a language. Dates are in UTC, except those in a given time zone. */
export function formatsOf(language: Language): Formats {
  const made = formats.get(language) ?? makeFormats(formatLocaleOf(language));
  formats.set(language, made);
  return made;
}

type Formats = ReturnType<typeof makeFormats>;

function makeNumberFormats(locale: string) {
  const number = once(() => new Intl.NumberFormat(locale));
  const signed = once(() => new Intl.NumberFormat(locale, { signDisplay: "always" }));
  const percent = once(() => new Intl.NumberFormat(locale, { style: "percent" }));
  const rate = once(
    () => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 }),
  );
  const minutes = once(() => quantityFormat("minute"));
  const hours = once(() => quantityFormat("hour"));

  const megabytes = once(() => unitFormat("megabyte", 1));
  const gigabytes = once(() => unitFormat("gigabyte", 2));
  const milliseconds = once(() => unitFormat("millisecond", 0));
  const seconds = once(() => unitFormat("second", 1));

  function unitFormat(unit: string, maximumFractionDigits: number) {
    return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits });
  }

  function quantityFormat(unit: "minute" | "hour") {
    return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" });
  }

  return {
    number: (value: number) => number().format(value),
    /** A number with its sign, also for zero. */
    signed: (value: number) => signed().format(value),
    /** A part as a percentage: 0.5 is "50%". */
    percent: (part: number) => percent().format(part),
    /** A part as a percentage that may be very small: 0.0012 is "0.12%". */
    rate: (part: number) => rate().format(part),
    /** A number with its unit in words: "3 hours". */
    quantity: (value: number, unit: "minute" | "hour") =>
      (unit === "hour" ? hours() : minutes()).format(value),
    /** A size in megabytes, or in gigabytes from 1 GB on. */
    bytes: (value: number) =>
      value < 1e9 ? megabytes().format(value / 1e6) : gigabytes().format(value / 1e9),
    /** A length of time in milliseconds, or in seconds from 1 s on. */
    duration: (ms: number) =>
      ms < 1_000 ? milliseconds().format(ms) : seconds().format(ms / 1_000),
  };
}

/** Formats of moments in a time zone such as "Africa/Nairobi"; in UTC when the runtime does not know the zone. */
function makeZoneFormats(locale: string) {
  const zones = new Map<string, ReturnType<typeof makeZone>>();

  function makeZone(name: string) {
    const timeZone = isTimeZone(name) ? name : "UTC";
    const dateFormat = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone });
    return {
      day: once(() => dateFormat(DAY)),
      shortDay: once(() => dateFormat(SHORT_DAY)),
      year: once(() => dateFormat({ year: "numeric" })),
      moment: once(() => dateFormat({ ...DAY, ...timeOf(locale) })),
      hour: once(() => dateFormat({ hour: "2-digit", hourCycle: "h23" })),
      weekday: once(() => dateFormat(LONG_DAY)),
      time: once(() => dateFormat({ ...timeOf(locale), second: "2-digit" })),
    };
  }

  function inZone(name: string) {
    const made = zones.get(name) ?? makeZone(name);
    zones.set(name, made);
    return made;
  }

  return {
    localDay: (date: Date, timeZone: string) => inZone(timeZone).day().format(date),
    /** A day beside now: without its year when it is a day of this year. */
    localDayFrom(date: Date, now: Date, timeZone: string): string {
      const { day, shortDay, year } = inZone(timeZone);
      const isThisYear = year().format(date) === year().format(now);
      return (isThisYear ? shortDay() : day()).format(date);
    },
    localMoment: (date: Date, timeZone: string) =>
      withWholeTime(inZone(timeZone).moment().format(date)),
    /** The hour of the day, from 0 to 23. */
    localHour: (date: Date, timeZone: string) =>
      Number(
        inZone(timeZone)
          .hour()
          .formatToParts(date)
          .find(({ type }) => type === "hour")?.value,
      ),
    /** A day with its weekday, as a heading: "Wednesday, 12 March 2025". */
    localWeekday: (date: Date, timeZone: string) => inZone(timeZone).weekday().format(date),
    /** A time of day to the second: "14:03:22". */
    localTime: (date: Date, timeZone: string) =>
      withWholeTime(inZone(timeZone).time().format(date)),
  };
}

/** Hour and minute: "04:03", or "4:03" in a language that counts halves of the day. */
function timeOf(locale: string): Intl.DateTimeFormatOptions {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
  return { hour: hour12 ? "numeric" : "2-digit", minute: "2-digit" };
}

/** Keeps the half of the day, as Arabic has it, on the line of the time at the text's end: "2:03 م". */
function withWholeTime(text: string): string {
  return text.replace(/(\d) (\D+)$/, "$1\u{a0}$2");
}

/** Format of a location as Cloudflare names it: a city, a country code or both, such as "Nairobi, KE". */
function makePlaceFormat(locale: string) {
  const regions = once(() => new Intl.DisplayNames(locale, { type: "region" }));
  const comma = locale.startsWith("ar") ? "، " : ", ";
  const inWords = (part: string) => (/^[A-Z]{2}$/.test(part) ? (regions().of(part) ?? part) : part);
  return {
    /** A location with its country in words: "Nairobi, Kenya". Each part has its own direction (Unicode FSI and PDI). */
    place: (place: string) =>
      place
        .split(", ")
        .map((part) => `\u2068${inWords(part)}\u2069`)
        .join(comma),
  };
}

function makeFormats(locale: string) {
  const list = once(() => new Intl.ListFormat(locale, { type: "conjunction" }));
  const day = once(() => dateFormat(DAY));
  const shortDay = once(() => dateFormat(SHORT_DAY));
  const longDay = once(() => dateFormat({ dateStyle: "long" }));
  const moment = once(() => dateFormat({ ...DAY, ...timeOf(locale) }));
  const longMoment = once(() => dateFormat({ dateStyle: "long", timeStyle: "short" }));
  const exactMoment = once(() => dateFormat({ ...DAY, ...timeOf(locale), second: "2-digit" }));
  const distance = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  const longDistance = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "always" }));

  function dateFormat(options: Intl.DateTimeFormatOptions) {
    return new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
  }

  const format = {
    ...makeNumberFormats(locale),
    ...makeZoneFormats(locale),
    ...makePlaceFormat(locale),
    /** Texts joined to a list: "Ada, Grace and Lina". */
    list: (texts: string[]) => list().format(texts),
    /** The same for texts that are drawn as elements: the index of each, and the words between them. */
    listParts: (texts: string[]) =>
      list()
        .formatToParts(texts.map((_, index) => String(index)))
        .map(({ type, value }, index, parts) =>
          type === "element"
            ? Number(value)
            : beforeLatin(value, texts[Number(parts[index + 1]?.value)]),
        ),
    day: (date: Date) => day().format(date),
    /** Day and month. */
    shortDay: (date: Date) => shortDay().format(date),
    longDay: (date: Date) => longDay().format(date),
    /** Date and time to the minute, with "UTC". */
    moment: (date: Date) => `${withWholeTime(moment().format(date))} UTC`,
    longMoment: (date: Date) => `${withWholeTime(longMoment().format(date))} UTC`,
    /** The same to the second, for records. */
    exactMoment: (date: Date) => `${withWholeTime(exactMoment().format(date))} UTC`,
    /** Distance of a date from now, in the largest unit that says enough: "3 days ago", or "now" within a minute. */
    ago(date: Date, now: Date): string {
      const seconds = (date.getTime() - now.getTime()) / 1_000;
      const [unit, size] = UNITS.find(([, , from]) => Math.abs(seconds) >= from) ?? NOW;
      // "Yesterday" is a day, but "last year" may be a few weeks or two years ago.
      const write = size > 86_400 ? longDistance() : distance();
      return write.format(Math.trunc(seconds / size), unit);
    },
    /** True while `ago` says "now". */
    isNow: (date: Date, now: Date) => Math.abs(date.getTime() - now.getTime()) < NOW[1] * 1_000,
    /** A date for a list: the distance from now for 7 days, then the day in a time zone, with its year if not this one. */
    recent(date: Date, now: Date, timeZone: string): string {
      const isNear = Math.abs(date.getTime() - now.getTime()) < NEAR_MS;
      return isNear ? format.ago(date, now) : format.localDayFrom(date, now, timeZone);
    },
  };
  return format;
}

/** Arabic writes its "and" as one word with the next, which is read only where that is Arabic too. */
function beforeLatin(words: string, next = ""): string {
  return words.endsWith("و") && /^[^\p{Script=Arabic}]/u.test(next) ? `${words}\u00a0` : words;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
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
