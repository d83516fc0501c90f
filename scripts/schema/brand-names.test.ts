import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listMigrations, openMigratedSqlite } from "./print.ts";

const MIGRATION = "0019_core_brand_names.sql";
const COLUMNS = "SELECT name_fr, name_ar, name_sw FROM brand";

function readNames(sqlite: ReturnType<typeof openMigratedSqlite>) {
  const row = sqlite.prepare("SELECT names FROM brand").get();
  return JSON.parse(String(row?.names));
}

test("the names that there were are in the column of all languages", () => {
  const sqlite = openMigratedSqlite(listMigrations().filter((name) => name < MIGRATION));
  sqlite.exec("UPDATE brand SET name = 'Acme', name_ar = 'أكمي'");
  sqlite.exec(readFileSync(`migrations/${MIGRATION}`, "utf8"));

  expect(readNames(sqlite)).toEqual({ ar: "أكمي" });
});

test("the release before reads in its columns what this one writes", () => {
  const sqlite = openMigratedSqlite();
  sqlite.exec(`UPDATE brand SET names = '{"fr":"Le Acme","qaa":"Other"}'`);

  expect({ ...sqlite.prepare(COLUMNS).get() }).toEqual({
    name_fr: "Le Acme",
    name_ar: null,
    name_sw: null,
  });
  expect(readNames(sqlite)).toEqual({ fr: "Le Acme", qaa: "Other" });
});

test("what the release before writes changes no name of a language that it does not know", () => {
  const sqlite = openMigratedSqlite();
  sqlite.exec(`UPDATE brand SET names = '{"fr":"Le Acme","sw":"Akme","qaa":"Other"}'`);
  sqlite.exec("UPDATE brand SET name_fr = NULL, name_ar = 'أكمي', name_sw = 'Akme'");

  expect(readNames(sqlite)).toEqual({ ar: "أكمي", sw: "Akme", qaa: "Other" });
});
