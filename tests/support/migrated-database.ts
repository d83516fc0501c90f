import { createHash, createHmac } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { applyMigrations } from "../../scripts/database.ts";
import { startWorker } from "../../scripts/worker.ts";

const MIGRATIONS = resolve(import.meta.dirname, "../../migrations");
const TEMPLATES = resolve(import.meta.dirname, "../../node_modules/.cache/gatehouse");
/** Miniflare keeps each D1 database in a Durable Object of this class. */
const DATABASE_CLASS = "miniflare-D1DatabaseObject";

/** Makes a folder for a worker of its own, with a migrated, empty database. */
export async function copyMigratedDatabase() {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-"));
  await addMigratedDatabase(folder, await findDatabaseId());
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Puts a migrated, empty database into the folder of a worker, which must not have opened it yet. Migrating costs a
 * second of CPU, so it happens once for each state of `migrations/`, and the file is copied.
 */
export async function addMigratedDatabase(folder: string, id: string): Promise<void> {
  const file = fileOf(folder, id);
  await mkdir(join(file, ".."), { recursive: true });
  await copyFile(await findTemplate(), file);
}

/** Returns the file in which workerd keeps the Durable Object of this name. */
function fileOf(folder: string, name: string): string {
  const key = createHash("sha256").update(DATABASE_CLASS).digest();
  const sign = (text: string | Buffer) =>
    createHmac("sha256", key).update(text).digest().subarray(0, 16);
  const signed = sign(name);
  const id = Buffer.concat([signed, sign(signed)]).toString("hex");
  return join(folder, "d1", DATABASE_CLASS, `${id}.sqlite`);
}

let template: Promise<string> | undefined;

function findTemplate(): Promise<string> {
  template ??= makeTemplate();
  return template;
}

/** Processes that make the template at the same time each make their own; the last to finish is kept. */
async function makeTemplate(): Promise<string> {
  const file = join(TEMPLATES, `${await hashOfMigrations()}.sqlite`);
  if (await exists(file)) return file;
  await mkdir(TEMPLATES, { recursive: true });
  const folder = await mkdtemp(join(TEMPLATES, "making-"));
  {
    await using worker = await startWorker({ persist: folder, network: "loopback" });
    await applyMigrations(await worker.getD1());
  }
  const whole = join(folder, "whole.sqlite");
  const database = new DatabaseSync(fileOf(folder, await findDatabaseId()));
  // One file, where SQLite itself keeps the newest pages in a second one.
  database.exec(`VACUUM INTO '${whole}'`);
  database.close();
  await rename(whole, file);
  await rm(folder, { recursive: true, force: true });
  return file;
}

async function findDatabaseId(): Promise<string> {
  const built = resolve(import.meta.dirname, "../../build/server/wrangler.json");
  const { d1_databases } = JSON.parse(await readFile(built, "utf8"));
  return d1_databases[0].database_id ?? d1_databases[0].binding;
}

async function hashOfMigrations(): Promise<string> {
  const hash = createHash("sha256");
  for (const name of (await readdir(MIGRATIONS)).sort()) {
    hash.update(name).update(await readFile(join(MIGRATIONS, name)));
  }
  return hash.digest("hex").slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
