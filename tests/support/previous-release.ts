import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { copyProject } from "./project-copy.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const BUILDS = join(ROOT, "node_modules/.cache/gatehouse");

/**
 * Returns the commit that package.json names as `previousRelease`. Undefined in a copy whose whole
 * history does not have it, such as one made from a template: it has no previous release yet.
 * Throws when a part of the history is missing here.
 */
export async function findPreviousRelease(): Promise<string | undefined> {
  const { previousRelease: commit } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const git = (...args: string[]) => promisify(execFile)("git", args, { cwd: ROOT });
  const isHere = await git("cat-file", "-e", `${commit}^{commit}`).then(
    () => true,
    () => false,
  );
  if (isHere) return commit;
  const isShallow = await git("rev-parse", "--is-shallow-repository").then(
    ({ stdout }) => stdout.trim() === "true",
    () => false,
  );
  if (isShallow) {
    throw new Error(`The history here does not reach back to ${commit}: git fetch --unshallow`);
  }
  return undefined;
}

/** Builds a released commit with the packages of today, and returns the folder of the build. It is built once. */
export async function buildPreviousRelease(commit: string): Promise<string> {
  const folder = join(BUILDS, `release-${commit}`);
  if (!existsSync(folder)) await buildCommit(commit, folder);
  return join(folder, "build");
}

async function buildCommit(commit: string, folder: string) {
  await mkdir(BUILDS, { recursive: true });
  const making = await mkdtemp(join(BUILDS, "making-"));
  await copyProject(making, commit);
  const bin = join(ROOT, "node_modules/.bin/react-router");
  await promisify(execFile)(bin, ["build"], { cwd: making, maxBuffer: 1e8 });
  await rename(making, folder).catch(() => rm(making, { recursive: true, force: true }));
}
