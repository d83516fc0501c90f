// npm test -- mutations: takes guards of the product out, one at a time, and checks that a test fails for each.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MUTATIONS, type Mutation } from "../tests/mutations/guards.ts";
import { run } from "./run.ts";

/** Returns how many of the guards the tests hold, and the others by name. */
export async function checkMutations() {
  const failures: string[] = [];
  for (const mutation of MUTATIONS) {
    const problem = await findProblem(mutation);
    console.log(`${problem ? "✗" : "✓"} ${mutation.guard}${problem ? `: ${problem}` : ""}`);
    if (problem) failures.push(`without "${mutation.guard}": ${problem}`);
  }
  return { passed: MUTATIONS.length - failures.length, failed: failures.length, failures };
}

/** Takes a guard out in a copy of the files, and returns what is wrong with the test that should notice. */
async function findProblem({ files, find, replacement, caughtBy }: Mutation) {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-mutation-"));
  try {
    copyFiles(folder);
    const changed = globSync(files, { cwd: folder })
      .map((file) => join(folder, file))
      .filter((file) => readFileSync(file, "utf8").includes(find));
    if (changed.length === 0) return `no file of ${files} has "${find}"`;
    for (const file of changed) {
      writeFileSync(
        file,
        readFileSync(file, "utf8").replaceAll(find, () => replacement),
      );
    }
    const options = { cwd: folder, quiet: true, env: { GATEHOUSE_TESTS: undefined } };
    const built = await run("node", ["scripts/build.ts"], options);
    if (built.code !== 0) return `it does not build:\n${built.output}`;
    const report = join(folder, "report.json");
    const tests = ["--project", "integration", "--reporter=json", `--outputFile=${report}`];
    await run("vitest", ["run", ...tests, caughtBy], options);
    const { numTotalTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    if (numTotalTests === 0) return `${caughtBy} did not run`;
    return numFailedTests === 0 ? `${caughtBy} passes` : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies what git knows or would add, and links the packages. */
function copyFiles(folder: string) {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const names = spawnSync("git", list, { encoding: "utf8" }).stdout.split("\0").filter(Boolean);
  for (const name of globSync(names)) cpSync(name, join(folder, name));
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
}
