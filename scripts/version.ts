import { execSync } from "node:child_process";

/** What `/health` says about a build. */
export type Version = { commit: string; time: string; version: string };

/** Describes a build of the present code. It is named after its commit and the present time. */
export function newVersion(): Version {
  const time = new Date().toISOString();
  const commit = findCommit();
  const version = `${commit}-${Date.parse(time).toString(36)}`;
  return { commit, time, version };
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
