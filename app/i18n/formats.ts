import { formatLocaleOf, LANGUAGE_NAMES, type Language } from "./languages.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Activity is stored at most this often, so no screen shows it more exactly. */
export const ACTIVITY_STEP_MS = HOUR_MS;
const YEAR_DAYS = 365;
const MONTH_DAYS = YEAR_DAYS / 12;

/** Units of distances, in days, and from which distance each is used. One year would say too little of 23 months. */
const LONG_UNITS = [
  ["year", YEAR_DAYS, 2 * YEAR_DAYS],
  ["month", MONTH_DAYS, MONTH_DAYS],
  ["week", 7, 7],
] as const;

/** A distance across midnight is told in hours up to here, and in calendar days beyond. */
const HOURS_ACROSS_MIDNIGHT_MS = 6 * HOUR_MS;

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

const NEAR_DAYS = 7;
/** Formats that are kept: a browser may claim any time zone, and each zone's formatters take memory. */
const MAX_KEPT = 40;

const kept = new Map<string, Formats>();

/**
 * Returns the number and date formats of a language. Dates are in the time zone, such as "Africa/Nairobi"; in UTC, and
 * then moments say so, when no zone is given or the runtime does not know it.
 */
export function formatsOf(language: Language, timeZone = "UTC"): Formats {
  const key = `${language} ${timeZone}`;
  const formats =
    kept.get(key) ?? makeFormats(formatLocaleOf(language), isTimeZone(timeZone) ? timeZone : "UTC");
  // Moves the key to the end, so that the first is the one not used for longest.
  kept.delete(key);
  kept.set(key, formats);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest) kept.delete(oldest);
  return formats;
}

export type Formats = ReturnType<typeof makeFormats>;

function makeNumberFormats(locale: string) {
  const number = once(() => new Intl.NumberFormat(locale));
  const signed = once(() => new Intl.NumberFormat(locale, { signDisplay: "always" }));
  const percent = once(() => new Intl.NumberFormat(locale, { style: "percent" }));
  const rate = once(
    () => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 2 }),
  );
  const minutes = once(() => quantityFormat("minute"));
  const hours = once(() => quantityFormat("hour"));
  const days = once(() => quantityFormat("day"));

  const megabytes = once(() => unitFormat("megabyte", 1));
  const gigabytes = once(() => unitFormat("gigabyte", 2));
  const milliseconds = once(() => unitFormat("millisecond", 0));
  const seconds = once(() => unitFormat("second", 1));

  function unitFormat(unit: string, maximumFractionDigits: number) {
    return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits });
  }

  function quantityFormat(unit: "minute" | "hour" | "day") {
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
    quantity: (value: number, unit: "minute" | "hour" | "day") =>
      ({ minute: minutes, hour: hours, day: days })[unit]().format(value),
    /** A size in megabytes, or in gigabytes from 1 GB on. */
    bytes: (value: number) =>
      value < 1e9 ? megabytes().format(value / 1e6) : gigabytes().format(value / 1e9),
    /** A length of time in milliseconds, or in seconds from 1 s on. */
    duration: (ms: number) =>
      ms < 1_000 ? milliseconds().format(ms) : seconds().format(ms / 1_000),
  };
}

function makeDateFormats(locale: string, timeZone: string) {
  const day = once(() => dateFormat(DAY));
  const shortDay = once(() => dateFormat(SHORT_DAY));
  const longDay = once(() => dateFormat({ dateStyle: "long" }));
  const weekday = once(() => dateFormat(LONG_DAY));
  const moment = once(() => dateFormat({ ...DAY, ...timeOf(locale) }));
  const longMoment = once(() => dateFormat({ dateStyle: "long", timeStyle: "short" }));
  const clock = once(() => dateFormat(timeOf(locale)));
  const time = once(() => dateFormat({ ...timeOf(locale), second: "2-digit" }));
  const exactMoment = once(
    () =>
      new Intl.DateTimeFormat(locale, {
        ...DAY,
        ...timeOf(locale),
        second: "2-digit",
        timeZone: "UTC",
      }),
  );
  const parts = once(
    () =>
      new Intl.DateTimeFormat("en", {
        year: "numeric",
        month: "numeric",
        day: "numeric",
        hour: "numeric",
        minute: "numeric",
        second: "numeric",
        hourCycle: "h23",
        timeZone,
      }),
  );
  const zone = timeZone === "UTC" ? " UTC" : "";

  function dateFormat(options: Intl.DateTimeFormatOptions) {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone });
  }

  function partsOf(date: Date) {
    // "11/28/2026, 14:03:22". `formatToParts` takes twice as long, and a list asks for each of its dates.
    const numbers = parts().format(date).split(/\D+/).map(Number);
    const [month = 1, day = 1, year = 0, hour = 0, minute = 0, second = 0] = numbers;
    return { year, month, day, hour, minute, second };
  }

  /** A moment's local time as if it were UTC, in milliseconds. */
  function clockOf(date: Date): number {
    const { year, month, day, hour, minute, second } = partsOf(date);
    return Date.UTC(year, month - 1, day, hour, minute, second, date.getUTCMilliseconds());
  }

  /** The calendar day of a moment, as `YYYY-MM-DD`. */
  function dayKey(date: Date): string {
    return new Date(dayNumber(date) * DAY_MS).toISOString().slice(0, 10);
  }

  /** Number of a moment's calendar day, counted from 1970. */
  function dayNumber(date: Date): number {
    const { year, month, day } = partsOf(date);
    return Date.UTC(year, month - 1, day) / DAY_MS;
  }

  return {
    dayKey,
    startOfDay(key: string): Date {
      const midnight = Date.parse(key);
      // The distance from UTC is that of the moment itself, which differs where the clock is put forward or back.
      const offsetAt = (time: number) => clockOf(new Date(time)) - time;
      const start = midnight - offsetAt(midnight - offsetAt(midnight));
      // In some zones the clock is put forward at midnight, and the day begins at one.
      return new Date(dayKey(new Date(start)) < key ? start + HOUR_MS : start);
    },
    day: (date: Date) => day().format(date),
    shortDay: (date: Date) => shortDay().format(date),
    longDay: (date: Date) => longDay().format(date),
    /** A day beside now: without its year when it is a day of this year. */
    dayFrom: (date: Date, now: Date) =>
      (partsOf(date).year === partsOf(now).year ? shortDay() : day()).format(date),
    /** A day with its weekday, as a heading: "Wednesday, 12 March 2025". */
    weekday: (date: Date) => weekday().format(date),
    /** Date and time to the minute; with "UTC" when that is the zone. */
    moment: (date: Date) => withWholeTime(moment().format(date)) + zone,
    longMoment: (date: Date) => withWholeTime(longMoment().format(date)) + zone,
    /** Date and time to the second, always in UTC, for records. */
    exactMoment: (date: Date) => `${withWholeTime(exactMoment().format(date))} UTC`,
    /** A time of day to the minute: "14:03"; with "UTC" when that is the zone. */
    clock: (date: Date) => withWholeTime(clock().format(date)) + zone,
    /** A time of day to the second: "14:03:22". */
    time: (date: Date) => withWholeTime(time().format(date)),
    /** The hour of the day, from 0 to 23. */
    hour: (date: Date) => partsOf(date).hour,
    /** Calendar days from now to a date: -1 is yesterday. */
    daysFrom: (date: Date, now: Date) => dayNumber(date) - dayNumber(now),
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

/** The comma of a language, with its space. */
function commaOf(locale: string): string {
  return locale.startsWith("ar") ? "، " : ", ";
}

function makeLanguageFormat(locale: string) {
  const names = once(() => new Intl.DisplayNames(locale, { type: "language", fallback: "none" }));
  return {
    /** The name of a language: "French"; its own where Intl knows none. */
    language: (language: Language) => names().of(language) ?? LANGUAGE_NAMES[language],
  };
}

/** Format of a location as Cloudflare names it: a city, a country code or both, such as "Nairobi, KE". */
function makePlaceFormat(locale: string) {
  const regions = once(() => new Intl.DisplayNames(locale, { type: "region" }));
  const comma = commaOf(locale);
  const inWords = (part: string) => (/^[A-Z]{2}$/.test(part) ? (regions().of(part) ?? part) : part);
  return {
    /**
     * A location with its country in words: "Nairobi, Kenya". Each part has its own direction
     * (Unicode FSI and PDI).
     */
    place: (place: string) =>
      place
        .split(", ")
        .map((part) => `\u2068${inWords(part)}\u2069`)
        .join(comma),
  };
}

function makeFormats(locale: string, timeZone: string) {
  const list = once(() => new Intl.ListFormat(locale, { type: "conjunction" }));
  const distance = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  const longDistance = once(() => new Intl.RelativeTimeFormat(locale, { numeric: "always" }));
  const dates = makeDateFormats(locale, timeZone);
  const comma = commaOf(locale);

  return {
    ...makeNumberFormats(locale),
    ...dates,
    ...makePlaceFormat(locale),
    ...makeLanguageFormat(locale),
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
    /**
     * Distance of a date from now, in the largest unit that says enough: "now" within a minute,
     * hours within a day, then calendar days, so that "yesterday" is the day before today: "3 days
     * ago".
     */
    ago(date: Date, now: Date): string {
      const ms = date.getTime() - now.getTime();
      const days = dates.daysFrom(date, now);
      if (Math.abs(ms) < MINUTE_MS) return distance().format(0, "second");
      if (Math.abs(ms) < HOUR_MS) return distance().format(Math.trunc(ms / MINUTE_MS), "minute");
      if (days === 0 || Math.abs(ms) < HOURS_ACROSS_MIDNIGHT_MS) {
        return distance().format(Math.trunc(ms / HOUR_MS), "hour");
      }
      const long = LONG_UNITS.find(([, , from]) => Math.abs(days) >= from);
      if (!long) return distance().format(days, "day");
      // "Yesterday" is a day, but "last year" may be a few weeks or two years ago.
      const [unit, size] = long;
      return longDistance().format(Math.trunc(days / size), unit);
    },
    /** A day in a list, for example when a member joined: "today", "3 days ago" within 7 days, then the date. */
    recentDay(date: Date, now: Date): string {
      const days = dates.daysFrom(date, now);
      if (Math.abs(days) < NEAR_DAYS) return distance().format(days, "day");
      return dates.dayFrom(date, now);
    },
    /** A moment of the last 7 days by its day: "today, 14:03"; else the date and time. */
    recentMoment(date: Date, now: Date): string {
      const days = dates.daysFrom(date, now);
      if (Math.abs(days) >= NEAR_DAYS) return dates.moment(date);
      return distance().format(days, "day") + comma + dates.clock(date);
    },
    /** True for activity of the last hour, which is shown without a distance. */
    isLastActive: (date: Date, now: Date) => now.getTime() - date.getTime() < ACTIVITY_STEP_MS,
    /** A date for a list: the distance from now within 7 days, then the day, with its year if not this one. */
    recent(date: Date, now: Date): string {
      const isNear = Math.abs(dates.daysFrom(date, now)) < NEAR_DAYS;
      return isNear ? this.ago(date, now) : dates.dayFrom(date, now);
    },
  };
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
