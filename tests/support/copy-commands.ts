import { execFileSync } from "node:child_process";
import { expect } from "vitest";
import { run } from "../../scripts/run.ts";

export type Command = readonly [command: string, ...args: string[]];

/** Vitest sets these for its tests, and they would change what the copy builds. */
const SET_BY_VITEST = ["NODE_ENV", "MODE", "DEV", "PROD", "SSR", "BASE_URL", "TEST", "VITEST"];

const ENVIRONMENT = {
  ...Object.fromEntries(SET_BY_VITEST.map((name) => [name, undefined])),
  // What a command leaves does not depend on the combinations and rounds of the full run.
  GATEHOUSE_TESTS: undefined,
  // Taking out needs no registry.
  npm_config_offline: "true",
};

/** Runs a command in a copy of the project. Fails with the end of its output. */
export async function expectSuccess(folder: string, ...[command, ...args]: Command): Promise<void> {
  const { code, output } = await run(command, args, {
    quiet: true,
    cwd: folder,
    env: ENVIRONMENT,
  });
  expect(code, `${command} ${args.join(" ")}\n${output.slice(-8_000)}`).toBe(0);
}

/** Makes a history of a copy, whose only commit has what is there. */
export function commitAll(folder: string): void {
  gitIn(folder, "init", "--quiet");
  gitIn(folder, "add", "--all");
  const who = ["-c", "user.name=Gatehouse", "-c", "user.email=tests@example.com"];
  gitIn(folder, ...who, "commit", "--quiet", "--no-verify", "--message", "Before");
}

export function gitIn(folder: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 1e9 });
}
