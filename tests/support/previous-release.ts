import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { copyProject } from "./project-copy.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const BUILDS = join(ROOT, "node_modules/.cache/gatehouse");

/**
 * Builds the commit that package.json names as `previousRelease`, with the packages of today, and returns the folder of
 * the build. It is built once for each commit.
 */
export async function buildPreviousRelease(): Promise<string> {
  const { previousRelease: commit } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const folder = join(BUILDS, `release-${commit}`);
  if (!existsSync(folder)) await buildCommit(commit, folder);
  return join(folder, "build");
}

async function buildCommit(commit: string, folder: string) {
  await mkdir(BUILDS, { recursive: true });
  const making = await mkdtemp(join(BUILDS, "making-"));
  await copyProject(making, commit).catch(() => {
    throw new Error(
      `The commit ${commit} of package.json's previousRelease is not here. Fetch it: git fetch --unshallow`,
    );
  });
  const bin = join(ROOT, "node_modules/.bin/react-router");
  await promisify(execFile)(bin, ["build"], { cwd: making, maxBuffer: 1e8 });
  await rename(making, folder).catch(() => rm(making, { recursive: true, force: true }));
}
