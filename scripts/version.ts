import { execSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

/** What `/health` says about a build. */
export type Version = { commit: string; time: string; version: string };

/** A build: its version, the release in package.json, and the migrations that it needs. */
export type Build = Version & { release: string; migrations: string[] };

/** Describes a build of the present code. It is named after its commit and the present time. */
export function newVersion(): Build {
  const time = new Date().toISOString();
  const commit = findCommit();
  const { version: release } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const migrations = readdirSync(join(ROOT, "migrations"))
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const version = `${commit}-${Date.parse(time).toString(36)}`;
  return { commit, time, version, release, migrations };
}

/** Returns the commit of the build: the variable COMMIT, for builds without history, or else what git says. */
function findCommit(): string {
  if (process.env.COMMIT) return process.env.COMMIT.slice(0, 40);
  try {
    return execSync("git rev-parse --short HEAD", { stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  } catch {
    // Built from an archive without history.
    return "unknown";
  }
}
