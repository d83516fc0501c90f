import { expect, test } from "vitest";
import { phrasesOf } from "./mail-phrases.server.ts";

test.each([
  ["en", "28 November 2026", "€120.50"],
  ["fr", "28 novembre 2026", "120,50\u00a0€"],
] as const)(
  "mails in %s have days and amounts of money in their language",
  (language, day, money) => {
    const phrases = phrasesOf(language, "Gatehouse");

    expect(phrases.day("2026-11-28")).toBe(`\u2068${day}\u2069`);
    expect(phrases.money({ amount: 12_050, currency: "EUR" })).toBe(`\u2068${money}\u2069`);
  },
);
