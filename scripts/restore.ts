// npm run restore -- FOLDER [--local] [--env staging] [--replace]: writes a backup into an empty
// database and its buckets.
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Manifest, readBackup } from "./backup/manifest.ts";
import { countTables, listMigrations, listTables } from "./backup/tables.ts";
import { type BucketName, d1, query, readTarget, withBuckets } from "./backup/target.ts";
import { fail, step } from "./terminal.ts";

const usage = "npm run restore -- FOLDER [--local] [--env staging] [--replace]";
const { target, folder = fail(`Usage: ${usage}`), has } = readTarget(usage, ["replace"]);

await main().catch((error) => fail(String(error?.message ?? error)));

async function main() {
  const backup = await step(
    "check",
    () => readBackup(folder),
    ({ createdAt, version, objects }) =>
      `whole: of ${createdAt}, version ${version}, ${objects.length} objects`,
  );
  await step("schema", () => prepareSchema(backup), String);
  await step("database", () => importDatabase(backup), String);
  await step("buckets", () => putObjects(backup), String);
  await step("compare", () => compareCounts(backup), String);
  console.log(`
  Sessions, codes and mails on their way need the BETTER_AUTH_SECRET of the backup. With another one,
  set BETTER_AUTH_SECRET_PREVIOUS to that secret, or everyone signs in again.`);
}

/** Migrates an empty database, and refuses one that holds users or has another schema than the backup. */
async function prepareSchema(backup: Manifest): Promise<string> {
  if ((await listMigrations(target)).length === 0) await d1(target, "migrations apply", []);
  const now = await listMigrations(target);
  if (now.join() !== backup.migrations.join()) {
    const [last] = backup.migrations.slice(-1);
    throw new Error(
      `The backup was made by version ${backup.version}, whose last migration is ${last}; the database has ${now.at(-1)}. ` +
        "Check out that version, restore into an empty database, then upgrade.",
    );
  }
  const [row] = await query<{ users: number }>(target, "SELECT count(*) AS users FROM user");
  if (row?.users && !has("replace")) {
    throw new Error(
      `The database has ${row.users} users, and nothing was changed. To delete all of its data first, add --replace.`,
    );
  }
  return `${now.length} migrations`;
}

/**
 * Imports the rows in one file: triggers away, so that no imported row is counted or recorded
 * again; the rows; the full-text indexes made anew; the triggers back.
 */
async function importDatabase(backup: Manifest): Promise<string> {
  const triggers = await query<{ name: string; sql: string }>(
    target,
    "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
  );
  const tables = await listTables(target);
  const before = [
    "PRAGMA defer_foreign_keys = TRUE;",
    ...triggers.map(({ name }) => `DROP TRIGGER "${name}";`),
    ...tables.map((table) => `DELETE FROM "${table}";`),
  ];
  const after = [...(await rebuildIndexes()), ...triggers.map(({ sql }) => `${sql};`)];
  const working = await mkdtemp(join(tmpdir(), "gatehouse-restore-"));
  try {
    const file = join(working, "restore.sql");
    const parts = async function* () {
      yield `${before.join("\n")}\n`;
      yield* createReadStream(join(folder, backup.database.path));
      yield `\n${after.join("\n")}\n`;
    };
    await pipeline(Readable.from(parts()), createWriteStream(file, { mode: 0o600 }));
    await d1(target, "execute", ["--file", file, "--yes"]);
  } finally {
    await rm(working, { recursive: true });
  }
  return `${tables.length} tables`;
}

/** Returns the statements that fill the full-text indexes from the rows. */
async function rebuildIndexes(): Promise<string[]> {
  const indexes = await query<{ name: string; sql: string; columns: string }>(
    target,
    `SELECT name, sql, (SELECT group_concat('"' || name || '"') FROM pragma_table_info(schema.name)) AS columns
     FROM sqlite_schema AS schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%'`,
  );
  return indexes.flatMap(({ name, sql, columns }) =>
    // An index without content of its own is filled from a view beside it.
    /content\s*=\s*''/.test(sql)
      ? [
          `INSERT INTO ${name} (${name}) VALUES ('delete-all');`,
          `INSERT INTO ${name} (rowid, ${columns}) SELECT number, ${columns} FROM ${name}_source;`,
        ]
      : [`INSERT INTO ${name} (${name}) VALUES ('rebuild');`],
  );
}

function putObjects({ objects }: Manifest): Promise<string> {
  return withBuckets(target, async (buckets) => {
    const missing = new Set<BucketName>();
    for (const { bucket, key, path, customMetadata, contentType } of objects) {
      const bytes = await readFile(join(folder, path));
      const httpMetadata = contentType ? { contentType } : undefined;
      if (!buckets[bucket]) missing.add(bucket);
      await buckets[bucket]?.put(key, bytes, { customMetadata, httpMetadata });
    }
    if (missing.size > 0) {
      throw new Error(
        `wrangler.toml binds no bucket as ${[...missing].join(", ")}, which the backup has objects for. Add it and run again with --replace.`,
      );
    }
    return `${objects.length} objects`;
  });
}

async function compareCounts({ tables }: Manifest): Promise<string> {
  const now = await countTables(target, Object.keys(tables));
  const different = Object.keys(tables).filter((table) => now[table] !== tables[table]);
  if (different.length > 0) {
    const lines = different.map((table) => `${table} has ${now[table]}, not ${tables[table]}`);
    throw new Error(`The rows differ from the backup: ${lines.join("; ")}.`);
  }
  return "the same rows as the backup";
}
