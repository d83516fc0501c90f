import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BucketName } from "./target.ts";

const FORMAT = "gatehouse-backup-1";

export const DATABASE_FILE = "database.sql";
export const MANIFEST_FILE = "manifest.json";

type StoredFile = { path: string; size: number; sha256: string };

/** One object of a bucket, and what belongs to it beside its bytes. */
export type StoredObject = StoredFile & {
  bucket: BucketName;
  key: string;
  customMetadata: Record<string, string> | undefined;
  contentType: string | undefined;
};

/** What a backup has in it, and with which version of the product it was made. */
export type Manifest = {
  format: typeof FORMAT;
  createdAt: string;
  version: string;
  /** Names of the applied migrations, in order: the schema's version. */
  migrations: string[];
  /** Rows of each table. */
  tables: Record<string, number>;
  database: StoredFile;
  objects: StoredObject[];
};

export function newManifest(content: Omit<Manifest, "format">): Manifest {
  return { format: FORMAT, ...content };
}

/** Returns path, size and SHA-256 of a file of a backup. */
export async function describeFile(folder: string, path: string): Promise<StoredFile> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(join(folder, path)), hash);
  const { size } = await stat(join(folder, path));
  return { path, size, sha256: hash.digest("hex") };
}

/** Reads a backup's manifest and compares every file with it. Throws with all problems when the backup is not whole. */
export async function readBackup(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST_FILE), "utf8").catch(() => {
    throw new Error(`${folder} has no ${MANIFEST_FILE}: it is no backup, or the backup stopped.`);
  });
  const manifest: Manifest = JSON.parse(text);
  if (manifest.format !== FORMAT) throw new Error(`${folder} is a backup of an unknown format.`);
  const problems: string[] = [];
  for (const { path, size, sha256 } of [manifest.database, ...manifest.objects]) {
    const found = await describeFile(folder, path).catch(() => undefined);
    if (!found) problems.push(`${path} is missing`);
    else if (found.size !== size || found.sha256 !== sha256) problems.push(`${path} is damaged`);
  }
  if (problems.length > 0) {
    throw new Error(`The backup is not whole, and nothing was changed: ${problems.join("; ")}.`);
  }
  return manifest;
}
