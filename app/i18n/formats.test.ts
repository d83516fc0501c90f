import { expect, test, vi } from "vitest";
import { ACTIVITY_STEP_MS, formatsOf } from "./formats.ts";
import { LANGUAGES } from "./languages.ts";

test("a language's formatter is made once", () => {
  formatsOf("sw").day(new Date(0));
  const made = vi.spyOn(Intl, "DateTimeFormat");
  const days = Array.from({ length: 61 }, (_, n) => new Date(Date.UTC(2026, 0, n + 1)));

  const written = days.map((day) => formatsOf("sw").day(day));

  expect(made).not.toHaveBeenCalled();
  expect(new Set(written).size).toBe(61);
  made.mockRestore();
});

test("each language has formatters of its own", () => {
  const date = new Date(Date.UTC(2026, 10, 22));

  expect(formatsOf("en").longDay(date)).toBe("22 November 2026");
  expect(formatsOf("fr").longDay(date)).toBe("22 novembre 2026");
  expect(formatsOf("en").longDay(date)).toBe("22 November 2026");
});

test.each([
  ["en", "12 Mar 2025", "12 Mar 2025, 14:03"],
  ["fr", "12 mars 2025", "12 mars 2025, 14:03"],
  ["ar", "12 مارس 2025", "12 مارس 2025، 2:03\u{a0}م"],
  ["sw", "12 Mac 2025", "12 Mac 2025, 14:03"],
] as const)("a day and a moment in %s", (language, day, moment) => {
  const format = formatsOf(language, "Africa/Nairobi");
  const date = new Date("2025-03-12T11:03:00Z");

  expect(format.day(date)).toBe(day);
  expect(format.moment(date)).toBe(moment);
});

test("a heading has the weekday, and a time of day its seconds", () => {
  const date = new Date("2025-03-12T11:03:22Z");
  const { weekday, time } = formatsOf("en", "Africa/Nairobi");

  expect(weekday(date)).toBe("Wednesday, 12 March 2025");
  expect(time(date)).toBe("14:03:22");
  expect(formatsOf("fr").time(date)).toBe("11:03:22");
});

test("dates follow the time zone; an unknown zone is UTC, which moments say", () => {
  const date = new Date("2025-03-12T22:30:00Z");

  expect(formatsOf("en", "Africa/Nairobi").day(date)).toBe("13 Mar 2025");
  expect(formatsOf("en", "America/Lima").day(date)).toBe("12 Mar 2025");
  expect(formatsOf("en", "Mars/Olympus").moment(date)).toBe("12 Mar 2025, 22:30 UTC");
  expect(formatsOf("en", "Africa/Nairobi").exactMoment(date)).toBe("12 Mar 2025, 22:30:00 UTC");
});

test.each([
  ["2025-03-12T11:02:01Z", "now"],
  ["2025-03-12T11:02:00Z", "1 minute ago"],
  ["2025-03-12T02:00:00Z", "9 hours ago"],
  ["2025-03-11T11:02:00Z", "yesterday"],
  ["2025-03-05T11:02:00Z", "1 week ago"],
  ["2023-11-12T11:02:00Z", "15 months ago"],
  ["2023-03-12T11:02:00Z", "2 years ago"],
  ["2025-03-12T11:04:00Z", "in 1 minute"],
  ["2025-03-12T20:04:00Z", "in 9 hours"],
  ["2025-03-13T23:04:00Z", "tomorrow"],
  ["2025-03-14T00:04:00Z", "in 2 days"],
])("the distance of %s is %s", (date, distance) => {
  const now = new Date("2025-03-12T11:03:00Z");

  expect(formatsOf("en").ago(new Date(date), now)).toBe(distance);
});

test.each([
  ["en", "yesterday", "2 days ago", "tomorrow", "in 2 days"],
  ["fr", "hier", "avant-hier", "demain", "après-demain"],
  ["ar", "أمس", "أول أمس", "غدًا", "بعد الغد"],
  ["sw", "jana", "juzi", "kesho", "kesho kutwa"],
] as const)("days are calendar days in %s", (language, yesterday, before, tomorrow, after) => {
  const { ago } = formatsOf(language);
  const now = new Date("2026-11-27T01:20:00Z");
  const from = (date: string) => ago(new Date(date), now);

  // 30 and 48 hours away, on either side of midnight.
  expect(from("2026-11-26T01:00:00Z")).toBe(yesterday);
  expect(from("2026-11-25T18:15:00Z")).toBe(before);
  expect(from("2026-11-28T23:59:00Z")).toBe(tomorrow);
  expect(from("2026-11-29T01:18:00Z")).toBe(after);
});

test("days end at the reader's midnight", () => {
  const now = new Date("2026-11-27T01:20:00Z");
  const date = new Date("2026-11-26T14:00:00Z");

  expect(formatsOf("en", "UTC").ago(date, now)).toBe("yesterday");
  // 17:20 and 6:00 of one day.
  expect(formatsOf("en", "America/Los_Angeles").ago(date, now)).toBe("11 hours ago");
  // 4:20 and 17:00 of the day before.
  expect(formatsOf("en", "Africa/Nairobi").ago(date, now)).toBe("yesterday");
});

test("minutes and a few hours are told across midnight", () => {
  const { ago } = formatsOf("en");
  const now = new Date("2026-11-27T01:20:00Z");

  expect(ago(new Date("2026-11-26T23:50:00Z"), now)).toBe("1 hour ago");
  expect(ago(new Date("2026-11-26T23:50:00Z"), new Date("2026-11-27T00:10:00Z"))).toBe(
    "20 minutes ago",
  );
  expect(ago(new Date("2026-11-26T19:00:00Z"), now)).toBe("yesterday");
});

test("a day with a change of the clock is one day", () => {
  const { ago } = formatsOf("en", "Europe/Paris");
  const now = new Date("2026-10-26T08:00:00Z");

  expect(ago(new Date("2026-10-24T22:30:00Z"), now)).toBe("yesterday");
  expect(ago(new Date("2026-10-24T21:30:00Z"), now)).toBe("2 days ago");
});

test("activity is told no finer than it is stored", () => {
  const now = new Date("2025-03-12T11:03:00Z");
  const { isLastActive } = formatsOf("en");

  expect(isLastActive(new Date(now.getTime() - ACTIVITY_STEP_MS + 1), now)).toBe(true);
  expect(isLastActive(new Date(now.getTime() - ACTIVITY_STEP_MS), now)).toBe(false);
});

test("a date in a list is a distance for 7 days, then a day", () => {
  const now = new Date("2025-03-12T11:03:00Z");
  const format = formatsOf("en", "America/Lima");
  const inLima = (date: string) => format.recent(new Date(date), now);

  expect(inLima("2025-03-06T05:00:01Z")).toBe("6 days ago");
  expect(inLima("2025-03-05T03:00:00Z")).toBe("4 Mar");
  expect(inLima("2025-03-14T11:03:00Z")).toBe("in 2 days");
  expect(inLima("2026-03-12T11:03:00Z")).toBe("12 Mar 2026");
});

test.each([
  ["en", "today", "yesterday", "6 days ago", "20 Nov"],
  ["fr", "aujourd’hui", "hier", "il y a 6 jours", "20 nov."],
  ["ar", "اليوم", "أمس", "قبل 6 أيام", "20 نوفمبر"],
  ["sw", "leo", "jana", "siku 6 zilizopita", "20 Nov"],
] as const)("a day of joining in %s is no moment", (language, today, yesterday, near, day) => {
  const { recentDay } = formatsOf(language, "Africa/Nairobi");
  const now = new Date("2026-11-27T01:20:00Z");
  const written = (date: string) => recentDay(new Date(date), now);

  expect(written("2026-11-27T01:20:00Z")).toBe(today);
  // Seven minutes and one minute around the reader's midnight.
  expect(written("2026-11-26T21:06:00Z")).toBe(today);
  expect(written("2026-11-26T20:59:00Z")).toBe(yesterday);
  expect(written("2026-11-21T10:00:00Z")).toBe(near);
  expect(written("2026-11-20T10:00:00Z")).toBe(day);
});

test.each([
  ["en", "today, 04:03", "12 Mar 2025, 14:03"],
  ["fr", "aujourd’hui, 04:03", "12 mars 2025, 14:03"],
  ["ar", "اليوم، 4:03\u{a0}ص", "12 مارس 2025، 2:03\u{a0}م"],
  ["sw", "leo, 04:03", "12 Mac 2025, 14:03"],
] as const)("a moment of the last days in %s", (language, recent, old) => {
  const { recentMoment } = formatsOf(language, "Africa/Nairobi");
  const now = new Date("2026-11-27T01:20:00Z");

  expect(recentMoment(new Date("2026-11-27T01:03:00Z"), now)).toBe(recent);
  expect(recentMoment(new Date("2025-03-12T11:03:00Z"), now)).toBe(old);
  expect(formatsOf("en").recentMoment(now, now)).toBe("today, 01:20 UTC");
});

test("a date in a list has its year when that is not the reader's year", () => {
  const now = new Date("2026-01-01T02:00:00Z");
  const newYear = new Date("2025-01-01T03:00:00Z");
  const inLima = formatsOf("en", "America/Lima");

  expect(formatsOf("en").recent(newYear, now)).toBe("1 Jan 2025");
  // There it is still 2025, but the date is of 2024.
  expect(inLima.recent(newYear, now)).toBe("31 Dec 2024");
  expect(inLima.recent(new Date("2025-01-01T12:00:00Z"), now)).toBe("1 Jan");
});

test.each([
  ["en", "4 Mar"],
  ["fr", "4 mars"],
  ["ar", "4 مارس"],
  ["sw", "4 Mac"],
] as const)("a day of this year in a list in %s", (language, day) => {
  const now = new Date("2025-11-12T11:03:00Z");

  expect(formatsOf(language).recent(new Date("2025-03-04T11:03:00Z"), now)).toBe(day);
});

test("only some formats are kept, whatever zones browsers claim", () => {
  const first = formatsOf("en", "Asia/Tokyo");
  for (const zone of Intl.supportedValuesOf("timeZone").slice(0, 60)) formatsOf("en", zone);

  expect(formatsOf("en", "Asia/Tokyo")).not.toBe(first);
});

test.each([
  ["en", "Nairobi, KE", "Nairobi, Kenya"],
  ["fr", "Abidjan, CI", "Abidjan, Côte d’Ivoire"],
  ["ar", "Nairobi, KE", "Nairobi، كينيا"],
  ["sw", "Cairo, EG", "Cairo, Misri"],
] as const)("a location has its country in the words of %s", (language, stored, place) => {
  const written = formatsOf(language).place(stored);

  expect(written.replace(/[\u2068\u2069]/g, "")).toBe(place);
});

test.each([
  ["a country alone", "KE", "\u2068Kenya\u2069"],
  ["a city alone, as an old row has it", "Nairobi", "\u2068Nairobi\u2069"],
  ["an unknown country", "Nairobi, QZ", "\u2068Nairobi\u2069, \u2068QZ\u2069"],
  ["Cloudflare's code for the Tor network", "T1", "\u2068T1\u2069"],
  [
    "a city with a comma",
    "Washington, D.C., US",
    "\u2068Washington\u2069, \u2068D.C.\u2069, \u2068United States\u2069",
  ],
])("a location with %s is written", (_, stored, written) => {
  expect(formatsOf("en").place(stored)).toBe(written);
});

test("each part of a location has its own direction, so that an Arabic reader sees the city first", () => {
  expect(formatsOf("ar").place("Nairobi, KE")).toBe("\u2068Nairobi\u2069، \u2068كينيا\u2069");
});

test.each([
  ["en", "French"],
  ["fr", "français"],
  ["ar", "الفرنسية"],
  ["sw", "Kifaransa"],
] as const)("in %s a language is named %s", (language, name) => {
  expect(formatsOf(language).language("fr")).toBe(name);
});

test.each(LANGUAGES)("%s reads the hour of a time zone as a number", (language) => {
  const now = new Date("2026-03-01T21:30:00Z");
  const hourIn = (zone: string) => formatsOf(language, zone).hour(now);

  expect(hourIn("UTC")).toBe(21);
  expect(hourIn("Africa/Nairobi")).toBe(0);
  expect(hourIn("Mars/Olympus")).toBe(21);
});

test('Arabic writes its "and" as one word with an Arabic name, and apart from any other', () => {
  const joined = (texts: string[]) =>
    formatsOf("ar")
      .listParts(texts)
      .map((part) => (typeof part === "number" ? texts[part] : part))
      .join("");

  expect(joined(["Amina", "سلمى"])).toBe("Amina وسلمى");
  expect(joined(["سلمى", "Amina"])).toBe("سلمى و\u00a0Amina");
});

test.each([
  ["UTC", "2026-03-01", "2026-03-01T00:00:00Z"],
  ["Africa/Nairobi", "2026-03-01", "2026-02-28T21:00:00Z"],
  ["America/Los_Angeles", "2026-03-01", "2026-03-01T08:00:00Z"],
  ["Asia/Kathmandu", "2026-03-01", "2026-02-28T18:15:00Z"],
  ["Pacific/Kiritimati", "2026-03-01", "2026-02-28T10:00:00Z"],
  // The days on which the clock is put forward and back, and those after them.
  ["Europe/Paris", "2026-03-29", "2026-03-28T23:00:00Z"],
  ["Europe/Paris", "2026-03-30", "2026-03-29T22:00:00Z"],
  ["Europe/Paris", "2026-10-25", "2026-10-24T22:00:00Z"],
  ["Europe/Paris", "2026-10-26", "2026-10-25T23:00:00Z"],
  // The clock goes from midnight to one.
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"],
  ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00Z"],
  ["Mars/Olympus", "2026-03-01", "2026-03-01T00:00:00Z"],
])("a day begins in %s on %s at %s", (zone, day, start) => {
  const { startOfDay, dayKey } = formatsOf("en", zone);
  const first = startOfDay(day);

  expect(first).toEqual(new Date(start));
  expect(dayKey(first)).toBe(day);
  expect(dayKey(new Date(first.getTime() - 1)) < day).toBe(true);
});
