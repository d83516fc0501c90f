import { expect, test } from "vitest";
import {
  DEFAULT_LANGUAGE,
  directionOf,
  fontScaleOf,
  formatLocaleOf,
  LANGUAGES,
  weekOf,
} from "./languages.ts";

test("the first language is the default", () => {
  expect(LANGUAGES[0]).toBe(DEFAULT_LANGUAGE);
});

test("Arabic is written from right to left, in larger letters, with Western digits", () => {
  expect(directionOf("ar")).toBe("rtl");
  expect(fontScaleOf("ar")).toBe(1.2);
  expect(new Intl.NumberFormat(formatLocaleOf("ar")).format(12)).toBe("12");
});

test("a language is as most are, where its line says nothing else", () => {
  expect(directionOf("fr")).toBe("ltr");
  expect(fontScaleOf("fr")).toBe(1);
  expect(formatLocaleOf("fr")).toBe("fr");
  expect(weekOf("fr")).toEqual({ start: 1, weekdays: undefined });
});

test.each(LANGUAGES)("a week in %s has a name for each day, or those of Intl", (language) => {
  expect([7, undefined]).toContain(weekOf(language).weekdays?.length);
});
