import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { printSchema } from "./print.ts";

const SCHEMA = readFileSync(resolve(import.meta.dirname, "../../docs/schema.sql"), "utf8");

test("docs/schema.sql is the database after all migrations; if not: npm run schema", () => {
  expect(SCHEMA).toBe(printSchema());
});

test("docs/schema.sql is SQL that makes the same database", () => {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(SCHEMA);
  const triggers = sqlite
    .prepare("SELECT count(*) AS n FROM sqlite_schema WHERE type = 'trigger'")
    .get();
  expect(triggers?.n).toBe(SCHEMA.match(/^CREATE TRIGGER /gm)?.length);
});
