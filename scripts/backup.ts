// npm run backup -- [FOLDER] [--local] [--env staging]: copies database and buckets into a folder,
// with a manifest of hashes.
import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  DATABASE_FILE,
  describeFile,
  MANIFEST_FILE,
  newManifest,
  type StoredObject,
} from "./backup/manifest.ts";
import { countExported, listMigrations, listTables, repairLineEnds } from "./backup/tables.ts";
import { BUCKETS, type BucketName, d1, query, readTarget, withBuckets } from "./backup/target.ts";
import { fail, step } from "./terminal.ts";

/** Objects that are read at the same time. */
const AT_ONCE = 8;

const usage = "npm run backup -- [FOLDER] [--local] [--env staging]";
const { target, folder: given } = readTarget(usage, []);
const createdAt = new Date().toISOString();
const folder = resolve(given ?? `backups/${createdAt.slice(0, 19).replaceAll(":", "-")}`);

await main().catch((error) => fail(String(error?.message ?? error)));

async function main() {
  // A backup holds sessions and personal data: only its owner may read it. wrangler inherits the mask of new files.
  process.umask(0o077);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) fail(`${folder} is not empty. Name a new folder.`);
  await chmod(folder, 0o700);

  const migrations = await listMigrations(target);
  if (migrations.length === 0) fail("The database has no tables. There is nothing to back up.");
  const tables = await step("database", exportDatabase, (rows) => `${sum(rows)} rows`);
  const objects = await step("buckets", saveObjects, (found) => `${found.length} objects`);
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const database = await describeFile(folder, DATABASE_FILE);
  const manifest = newManifest({ createdAt, version, migrations, tables, database, objects });
  await writeFile(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  await noteBackup(tables);
  console.log(`\n  ${folder}\n  It holds personal data and sessions: keep it like the database.`);
}

/**
 * Tells the set-up list of the dashboard that a whole backup was made. A database of an older
 * version has no row for it.
 */
async function noteBackup(tables: Record<string, number>) {
  if (!("set_up" in tables)) return;
  await query(target, `UPDATE set_up SET backup_at = ${Date.parse(createdAt)}`);
}

/**
 * Exports the tables by name, without the full-text indexes: D1 refuses to export a virtual table,
 * and a refused export can block the database.
 */
async function exportDatabase() {
  const tables = await listTables(target);
  const file = join(folder, DATABASE_FILE);
  const named = tables.flatMap((table) => ["--table", table]);
  await d1(target, "export", ["--skip-confirmation", "--no-schema", "--output", file, ...named]);
  const { rows, withLineEnds } = await countExported(file, tables);
  await repairLineEnds(target, file, withLineEnds);
  return rows;
}

function saveObjects(): Promise<StoredObject[]> {
  return withBuckets(target, async (buckets) => {
    const saved: StoredObject[] = [];
    for (const name of BUCKETS) {
      const bucket = buckets[name];
      let cursor: string | undefined;
      do {
        const page = await bucket?.list({ cursor, limit: 500 });
        const keys = page?.objects.map(({ key }) => key) ?? [];
        for (let start = 0; start < keys.length; start += AT_ONCE) {
          const some = keys.slice(start, start + AT_ONCE);
          const found = await Promise.all(some.map((key) => saveObject(name, bucket, key)));
          saved.push(...found.flatMap((object) => object ?? []));
        }
        cursor = page?.truncated ? page.cursor : undefined;
      } while (cursor);
    }
    return saved;
  });
}

/** Saves one object. Undefined when it was deleted since the bucket was listed. */
async function saveObject(
  name: BucketName,
  bucket: R2Bucket | undefined,
  key: string,
): Promise<StoredObject | undefined> {
  const object = await bucket?.get(key);
  if (!object) return undefined;
  const path = join("buckets", name, ...key.split("/").map(encodeURIComponent));
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), new Uint8Array(await object.arrayBuffer()));
  return {
    ...(await describeFile(folder, path)),
    bucket: name,
    key,
    customMetadata: object.customMetadata,
    contentType: object.httpMetadata?.contentType,
  };
}

function sum(rows: Record<string, number>) {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}
