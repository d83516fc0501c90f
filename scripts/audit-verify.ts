// npm run audit:verify -- [FOLDER] [--local] [--env staging] [--files-only]: checks the files of the audit archive, and that they
// join the events in the database. With FOLDER it reads the files of a backup, or of a copy of the bucket.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type ChainFile, type ChainRow, checkChain } from "./backup/audit-chain.ts";
import { query, readTarget, withBuckets } from "./backup/target.ts";
import { fail } from "./terminal.ts";

const usage = "npm run audit:verify -- [FOLDER] [--local] [--env staging] [--files-only]";
const { target, folder, has } = readTarget(usage, ["files-only"]);

await main().catch((error) => fail(String(error?.message ?? error)));

async function main() {
  const rows = has("files-only")
    ? undefined
    : await query<ChainRow>(target, "SELECT * FROM audit_archive ORDER BY sequence");
  const files = folder ? await readFolder(folder) : await readBucket();
  const { problems, ids, unnamed } = await checkChain(files, rows);
  if (rows) problems.push(...(await checkJoin(rows, ids)));
  for (const key of unnamed) {
    console.log(`  Note: ${key} was stored by a run that stopped. The next run replaces it.`);
  }
  if (problems.length > 0) {
    fail(`The audit archive is broken:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  }
  const end = rows
    ? ""
    : " Whether the last file is missing was not checked: that needs the database.";
  console.log(
    `  The audit archive is whole: ${files.length - unnamed.length} files, ${ids.size} events.${end}`,
  );
}

/** Checks that no event of the archive is still in the database. */
async function checkJoin(rows: ChainRow[], archived: Set<string>): Promise<string[]> {
  const last = rows.at(-1);
  if (!last) return [];
  const older = await query<{ id: string }>(
    target,
    `SELECT id FROM audit_event WHERE (created_at, id) <= (${last.last_at}, '${last.last_id.replaceAll("'", "''")}')`,
  );
  const doubles = older.filter(({ id }) => archived.has(id));
  if (older.length > doubles.length) {
    console.log(
      `  Note: ${older.length - doubles.length} events in the database are older than the archive's end, because they were written later, for example by an import.`,
    );
  }
  return doubles.map(({ id }) => `the event ${id} is in the archive and in the database`);
}

function readBucket(): Promise<ChainFile[]> {
  return withBuckets(target, async ({ ARCHIVE: bucket }) => {
    if (!bucket) {
      return fail("wrangler.toml binds no bucket as ARCHIVE, so there is no archive to check.");
    }
    const files: ChainFile[] = [];
    let cursor: string | undefined;
    do {
      const page: R2Objects = await bucket.list({ cursor, prefix: "audit/" });
      for (const { key } of page.objects) {
        const object = await bucket.get(key);
        if (object) files.push({ key, bytes: new Uint8Array(await object.arrayBuffer()) });
      }
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor);
    return files;
  });
}

/** Reads the files below `audit/` in a backup or in a copy of the bucket. */
async function readFolder(folder: string): Promise<ChainFile[]> {
  const backup = join(folder, "buckets/ARCHIVE");
  const root = existsSync(backup) ? backup : folder;
  const entries = await readdir(join(root, "audit"), { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        return { key: relative(root, path), bytes: new Uint8Array(await readFile(path)) };
      }),
  );
}
