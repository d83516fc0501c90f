import { getTableColumns } from "drizzle-orm";
import { expect, test } from "vitest";
import { AUDIT_FIELDS, changesOf } from "../audit/changes.ts";
import { repository } from "./tables.server.ts";

// The event's type lists the fields that are written one by one; a repository is written as a whole row.
test("every column of a deleted repository has a label", () => {
  const row = Object.fromEntries(Object.keys(getTableColumns(repository)).map((key) => [key, "x"]));

  const shown = changesOf({ before: row }).map(({ field }) => field);

  expect(AUDIT_FIELDS).toEqual(expect.arrayContaining(shown));
});
