import { DatabaseSync } from "node:sqlite";
import { sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { jsonObject } from "./json-object.ts";

test.each([0, 1, 16, 17, 40])(
  "an object of %i members is written with at most 32 arguments",
  (count) => {
    const members = Array.from({ length: count }, (_, at) => [`m${at}`, sql`${at}`] as const);

    const { sql: text, params } = new SQLiteSyncDialect().sqlToQuery(
      sql`SELECT ${jsonObject(members)} AS made`,
    );
    const calls = [...text.matchAll(/json_object\(([^()]*)\)/g)].map(
      ([, inside = ""]) => inside.split(",").length,
    );
    expect(Math.max(...calls)).toBeLessThanOrEqual(32);
    expect(text.match(/json_set/g)?.length ?? 0).toBe(Math.max(0, Math.ceil(count / 15) - 1));
    const row = new DatabaseSync(":memory:").prepare(text).get(...(params as number[]));
    expect(Object.keys(JSON.parse(String(row?.made)))).toHaveLength(count);
  },
);

test("a null stays in an object of many members", () => {
  const members = Array.from({ length: 20 }, (_, at) => [`m${at}`, sql`NULL`] as const);

  const { sql: text } = new SQLiteSyncDialect().sqlToQuery(
    sql`SELECT ${jsonObject(members)} AS made`,
  );
  const row = new DatabaseSync(":memory:").prepare(text).get();
  expect(Object.values(JSON.parse(String(row?.made)))).toEqual(Array(20).fill(null));
});
