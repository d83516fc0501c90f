import { expect, test, vi } from "vitest";
import { formatsOf } from "./formats.ts";

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

  expect(formatsOf("en").longDay(date)).toBe("November 22, 2026");
  expect(formatsOf("fr").longDay(date)).toBe("22 novembre 2026");
  expect(formatsOf("en").longDay(date)).toBe("November 22, 2026");
});
