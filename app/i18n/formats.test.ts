import { expect, test, vi } from "vitest";
import { formatsOf } from "./formats.ts";
import { LANGUAGES } from "./languages.ts";

test("a language's formatter is made once", () => {
  const made = vi.spyOn(Intl, "DateTimeFormat");
  const days = Array.from({ length: 61 }, (_, n) => new Date(Date.UTC(2026, 0, n + 1)));

  const written = days.map((day) => formatsOf("sw").day(day));

  expect(made).toHaveBeenCalledTimes(1);
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
  const format = formatsOf(language);
  const date = new Date("2025-03-12T11:03:00Z");

  expect(format.localDay(date, "Africa/Nairobi")).toBe(day);
  expect(format.localMoment(date, "Africa/Nairobi")).toBe(moment);
});

test("a heading has the weekday, and a time of day its seconds", () => {
  const date = new Date("2025-03-12T11:03:22Z");

  expect(formatsOf("en").localWeekday(date, "Africa/Nairobi")).toBe("Wednesday, 12 March 2025");
  expect(formatsOf("en").localTime(date, "Africa/Nairobi")).toBe("14:03:22");
  expect(formatsOf("fr").localTime(date, "UTC")).toBe("11:03:22");
});

test("the day follows the time zone, and an unknown zone is UTC", () => {
  const format = formatsOf("en");
  const date = new Date("2025-03-12T22:30:00Z");

  expect(format.localDay(date, "Africa/Nairobi")).toBe("13 Mar 2025");
  expect(format.localDay(date, "America/Lima")).toBe("12 Mar 2025");
  expect(format.localMoment(date, "Mars/Olympus")).toBe("12 Mar 2025, 22:30");
});

test.each([
  ["2025-03-12T11:02:01Z", "now"],
  ["2025-03-12T11:02:00Z", "1 minute ago"],
  ["2025-03-11T11:02:00Z", "yesterday"],
  ["2025-03-05T11:02:00Z", "1 week ago"],
  ["2023-11-12T11:02:00Z", "15 months ago"],
  ["2023-03-12T11:02:00Z", "2 years ago"],
])("the distance of %s is %s", (date, distance) => {
  const now = new Date("2025-03-12T11:03:00Z");

  expect(formatsOf("en").ago(new Date(date), now)).toBe(distance);
});

test("a moment is now as long as its distance says so", () => {
  const now = new Date("2025-03-12T11:03:00Z");
  const { isNow } = formatsOf("en");

  expect(isNow(new Date("2025-03-12T11:02:01Z"), now)).toBe(true);
  expect(isNow(new Date("2025-03-12T11:02:00Z"), now)).toBe(false);
});

test("a date in a list is a distance for 7 days, then a day", () => {
  const now = new Date("2025-03-12T11:03:00Z");
  const { recent } = formatsOf("en");
  const inLima = (date: string) => recent(new Date(date), now, "America/Lima");

  expect(inLima("2025-03-05T11:03:01Z")).toBe("6 days ago");
  expect(inLima("2025-03-05T03:00:00Z")).toBe("4 Mar");
  expect(inLima("2025-03-14T11:03:00Z")).toBe("in 2 days");
  expect(inLima("2026-03-12T11:03:00Z")).toBe("12 Mar 2026");
});

test("a date in a list has its year when that is not the reader's year", () => {
  const { recent } = formatsOf("en");
  const now = new Date("2026-01-01T02:00:00Z");
  const newYear = new Date("2025-01-01T03:00:00Z");

  expect(recent(newYear, now, "UTC")).toBe("1 Jan 2025");
  // There it is still 2025, but the date is of 2024.
  expect(recent(newYear, now, "America/Lima")).toBe("31 Dec 2024");
  expect(recent(new Date("2025-01-01T12:00:00Z"), now, "America/Lima")).toBe("1 Jan");
});

test.each([
  ["en", "4 Mar"],
  ["fr", "4 mars"],
  ["ar", "4 مارس"],
  ["sw", "4 Mac"],
] as const)("a day of this year in a list in %s", (language, day) => {
  const now = new Date("2025-11-12T11:03:00Z");

  expect(formatsOf(language).recent(new Date("2025-03-04T11:03:00Z"), now, "UTC")).toBe(day);
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

test.each(LANGUAGES)("%s reads the hour of a time zone as a number", (language) => {
  const now = new Date("2026-03-01T21:30:00Z");
  const { localHour } = formatsOf(language);

  expect(localHour(now, "UTC")).toBe(21);
  expect(localHour(now, "Africa/Nairobi")).toBe(0);
  expect(localHour(now, "Mars/Olympus")).toBe(21);
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
