import { sqliteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { money } from "./columns.ts";

test("an amount of money is kept as JSON", () => {
  const { price } = sqliteTable("sample", { price: money("price") });
  const amount = { amount: 12_050, currency: "EUR" };

  const stored = price.mapToDriverValue(amount);

  expect(stored).toBe('{"amount":12050,"currency":"EUR"}');
  expect(price.mapFromDriverValue(String(stored))).toEqual(amount);
});
