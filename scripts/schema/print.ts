import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

const MIGRATIONS = resolve(import.meta.dirname, "../../migrations");

type Entry = { type: string; name: string; table: string; sql: string };

/** Beginnings of statements that write. */
const WRITTEN = /\b((?:INSERT(?: OR \w+)? INTO|DELETE FROM|UPDATE(?! SET)) \w+)/g;

/** Statements that keep a search row or a total. */
const KEPT =
  /INSERT INTO (?:\w+_search|slot_count)\b|UPDATE (?:counter|slot_count)\b|UPDATE \w+ SET (?:\w+_count|last_activity_at) =/g;

/** The purposes of triggers. A trigger belongs to the first one that it has. */
const PURPOSES = [
  {
    title: "Triggers that refuse",
    why: "D1 has no transaction that reads before it writes, so the database itself keeps these rules.",
    has: (body: string) => /\bRAISE\s*\(/.test(body),
  },
  {
    title: "Triggers that write audit events",
    why: "better-auth inserts these rows itself, outside our batches, and none may be without its event.",
    has: (body: string) => /\bINSERT INTO audit_event\b/.test(body),
  },
  {
    title: "Triggers that keep search rows and totals",
    why: "They must change together with their row, and no total needs a read of its table.",
    has: (body: string) => isKeeping(body),
  },
  {
    title: "Triggers that act",
    why: "What follows from a change must follow whichever code makes the change, cascades too.",
    has: () => true,
  },
];

/** Returns the names of the files of migrations, in order. */
export function listMigrations(): string[] {
  return readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

/** Returns a migrated, empty database in memory. */
export function openMigratedSqlite(migrations = listMigrations()): DatabaseSync {
  const sqlite = new DatabaseSync(":memory:");
  for (const name of migrations) sqlite.exec(readFileSync(join(MIGRATIONS, name), "utf8"));
  return sqlite;
}

/** Returns the text of `docs/schema.sql`. */
export function printSchema(): string {
  const entries = readEntries(openMigratedSqlite());
  const ofType = (type: string) => entries.filter((entry) => entry.type === type);
  const tables = ofType("table").map((table) =>
    [
      splitAddedColumns(table.sql),
      ...ofType("index")
        .filter((index) => index.table === table.name)
        .map(({ sql }) => sql),
    ]
      .map((sql) => `${sql};`)
      .join("\n"),
  );
  const triggers = ofType("trigger");
  const purposeOf = (trigger: Entry) => PURPOSES.find(({ has }) => has(bodyOf(trigger)));
  return [
    "-- The database after all migrations. Made by npm run schema: do not edit.",
    listChanges(triggers),
    section(
      "Tables, each with its indexes",
      "Shadow tables of the full-text tables are left out.",
      tables,
    ),
    section(
      "Views",
      "Questions that several triggers and statements ask.",
      ofType("view").map(({ sql }) => `${sql};`),
    ),
    ...PURPOSES.map((purpose) =>
      section(
        purpose.title,
        purpose.why,
        triggers.filter((trigger) => purposeOf(trigger) === purpose).map(({ sql }) => `${sql};`),
      ),
    ),
  ].join("\n");
}

function readEntries(sqlite: DatabaseSync): Entry[] {
  const rows = sqlite
    .prepare(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema
       WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow')
       ORDER BY tbl_name, name`,
    )
    .all();
  return rows.map((row) => ({
    type: String(row.type),
    name: String(row.name),
    table: String(row.tbl_name),
    sql: String(row.sql),
  }));
}

/** Puts each column that a later migration added on a line of its own. SQLite adds them to the last line. */
function splitAddedColumns(sql: string): string {
  const added = /\n, (?<columns>.+)\) STRICT$/.exec(sql);
  if (!added?.groups?.columns) return sql;
  const columns = added.groups.columns.split(", ").join(",\n  ");
  return `${sql.slice(0, added.index)},\n  ${columns}\n) STRICT`;
}

/** Returns a comment with each change that triggers answer, and what each of them refuses or writes. */
function listChanges(triggers: Entry[]): string {
  const answers = new Map<string, string[]>();
  for (const trigger of triggers) {
    const { name, sql } = trigger;
    const [, change = ""] =
      /^CREATE TRIGGER \w+ (?:BEFORE|AFTER|INSTEAD OF) (.+? ON \w+)/.exec(sql) ?? [];
    const refused = /RAISE\s*\(ABORT, '([^']+)'/g;
    const body = bodyOf(trigger);
    const done = [...body.matchAll(refused), ...body.matchAll(WRITTEN)].map(([, what]) => what);
    const answer = `--   ${name}: ${[...new Set(done)].join(", ") || "nothing"}`;
    answers.set(change, [...(answers.get(change) ?? []), answer]);
  }
  const lines = [...answers].flatMap(([change, of]) => [`-- ${change}`, ...of]);
  return `\n-- What a change starts: each change that triggers answer, with what they refuse or write\n--\n${lines.join("\n")}`;
}

/** True when all that a trigger writes are search rows and totals. */
function isKeeping(body: string): boolean {
  const rest = body.replaceAll(KEPT, "");
  return rest !== body && [...rest.matchAll(WRITTEN)].length === 0;
}

/** Returns what a trigger does, without when it does it. */
function bodyOf(trigger: Entry): string {
  return trigger.sql.slice(trigger.sql.indexOf("BEGIN"));
}

function section(title: string, note: string, statements: string[]): string {
  return `\n-- ${title} (${statements.length})\n-- ${note}\n\n${statements.join("\n\n")}\n`;
}
