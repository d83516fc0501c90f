import { expect, test } from "vitest";
import { openMigratedSqlite } from "../../../scripts/schema/print.ts";
import { NEWS_PAGES } from "./pages.ts";

/** Kinds of news in triggers: the second value of a row, after the organization. */
const WRITTEN =
  /INSERT INTO program_news \(organization_id, kind,[^)]*\)\s*VALUES \(\s*[\w.]+, '([\w-]+)'/g;

test("triggers write each kind of news that the features name, and no other", () => {
  const triggers = openMigratedSqlite()
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
    .all()
    .map(({ sql }) => String(sql));
  const written = triggers.flatMap((sql) => [...sql.matchAll(WRITTEN)].map(([, kind]) => kind));
  const insertions = triggers.filter((sql) => sql.includes("INSERT INTO program_news"));

  expect(written).toHaveLength(insertions.length);
  expect(written.sort()).toEqual(
    Object.values(NEWS_PAGES)
      .flatMap(({ kinds }) => kinds)
      .sort(),
  );
});
