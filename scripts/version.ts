import { execSync } from "node:child_process";

/** What `/health` says about a build. */
export type Version = { commit: string; time: string; version: string };

/** Names a build after its commit and the present time. */
export function newVersion(): Version {
  const time = new Date().toISOString();
  let commit = "unknown";
  try {
    commit = execSync("git rev-parse --short HEAD", { stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  } catch {
    // Built from an archive without history.
  }
  return { commit, time, version: `${commit}-${Date.parse(time).toString(36)}` };
}
