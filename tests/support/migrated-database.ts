import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { applyMigrations } from "../../scripts/database.ts";
import { startWorker } from "../../scripts/worker.ts";

const MIGRATIONS = resolve(import.meta.dirname, "../../migrations");
const TEMPLATES = resolve(import.meta.dirname, "../../node_modules/.cache/gatehouse");

/**
 * Makes a folder with a migrated, empty database for one worker. Migrating costs a second of CPU, so it happens once
 * for each state of `migrations/`, and the files are copied.
 */
export async function copyMigratedDatabase() {
  const template = await findTemplate();
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-"));
  await cp(template, folder, { recursive: true });
  return {
    folder,
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the template folder, and makes it when it is missing. Processes that make it at the same time each make their
 * own; the first to finish is kept.
 */
async function findTemplate(): Promise<string> {
  const template = join(TEMPLATES, await hashOfMigrations());
  if (await exists(template)) return template;
  await mkdir(TEMPLATES, { recursive: true });
  const folder = await mkdtemp(join(TEMPLATES, "making-"));
  {
    await using worker = await startWorker({ persist: folder, network: "loopback" });
    await applyMigrations(await worker.getD1());
  }
  await rename(folder, template).catch(async (error) => {
    await rm(folder, { recursive: true, force: true });
    if (!(await exists(template))) throw error;
  });
  return template;
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
