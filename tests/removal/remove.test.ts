import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LISTS, listFeatures, withDependents } from "../../scripts/features/known.ts";
import { run } from "../../scripts/run.ts";
import { copyProject } from "../support/project-copy.ts";
import { isFull } from "../support/thoroughness.ts";

// Takes features out of a copy of the project, and opens every screen of what is left. The gate does it for the features that
// the last change touches and for one more, chosen by the commit; `npm run test:full` for each, and for all together;
// GATEHOUSE_REMOVE="teams sharing,repositories" npm test -- removal for those.

const FEATURES = listFeatures();

/** What the knife writes anew, beside the lists. */
const WRITTEN = [...LISTS, "docs/schema.sql", "package.json", "package-lock.json"];

/** What must hold without the features. The first builds what the last runs. */
const CHECKS: [command: string, ...args: string[]][] = [
  ["biome", "ci", "."],
  ["react-router", "typegen"],
  ["tsc", "--noEmit"],
  ["vitest", "run", "--project", "unit"],
  ["node", "scripts/build.ts"],
];

/** Opens every screen in each language, as everybody who may and who may not. */
const SCREENS = ["screens", "untranslated", "access", "roles", "sign-in"];

test.each(chosen())(
  "without $names, the rest passes its checks and every screen opens",
  async ({ names }) => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-without-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await copyProject(folder);
    git(folder, "init", "--quiet");
    git(folder, "add", "--all");
    commit(folder);

    for (const name of names) {
      if (!listed(folder, name)) continue;
      await expectSuccess(folder, "node", "scripts/remove.ts", name, "--with-dependents");
    }

    const gone = names.flatMap((name) => withDependents(name, FEATURES));
    const belongs = gone.flatMap(({ folder: own, texts, migrations }) => [
      own,
      ...texts,
      ...migrations,
    ]);
    const changed = git(folder, "status", "--porcelain", "--untracked-files=all")
      .split("\n")
      .map((line) => line.slice(3))
      .filter((file) => file !== "");
    const others = changed.filter(
      (file) => !belongs.some((own) => file === own || file.startsWith(`${own}/`)),
    );
    expect(others.filter((file) => !WRITTEN.includes(file))).toEqual([]);
    for (const [command, ...args] of CHECKS) await expectSuccess(folder, command, ...args);
    const files = SCREENS.map((name) => `tests/integration/${name}.test.ts`);
    // Without all features the core passes its own tests.
    const isAlone = isFull && gone.length === FEATURES.length;
    await expectSuccess(
      folder,
      "vitest",
      "run",
      "--project",
      "integration",
      ...(isAlone ? [] : files),
    );
  },
);

/** Returns the sets of features that are taken out in this run. */
function chosen(): { names: string[] }[] {
  const all = FEATURES.map(({ name }) => name);
  const asked = process.env.GATEHOUSE_REMOVE;
  if (asked) return asked.split(" ").map((names) => ({ names: names.split(",") }));
  if (isFull) return [...all.map((name) => ({ names: [name] })), { names: all }];
  const head = git(".", "rev-parse", "HEAD").trim();
  const byCommit = all[Number.parseInt(head.slice(0, 8), 16) % all.length];
  const touched = git(".", "diff", "--name-only", "HEAD~1", "HEAD")
    .split("\n")
    .map((file) => /^app\/features\/([\w-]+)\//.exec(file)?.[1])
    .filter((name) => name !== undefined && all.includes(name));
  const names = new Set([byCommit, ...touched].filter((name) => name !== undefined));
  return [...names].map((name) => ({ names: [name] }));
}

/** False for a feature that went with one that it needs. */
function listed(folder: string, name: string): boolean {
  return (
    git(folder, "ls-files", `app/features/${name}/feature.ts`) !== "" && !isDeleted(folder, name)
  );
}

function isDeleted(folder: string, name: string): boolean {
  return git(folder, "ls-files", "--deleted", `app/features/${name}/feature.ts`) !== "";
}

async function expectSuccess(folder: string, command: string, ...args: string[]): Promise<void> {
  const { code, output } = await run(command, args, { quiet: true, cwd: folder });
  expect(code, `${command} ${args.join(" ")}\n${output.slice(-8_000)}`).toBe(0);
}

function commit(folder: string): void {
  const who = ["-c", "user.name=Gatehouse", "-c", "user.email=tests@example.com"];
  git(folder, ...who, "commit", "--quiet", "--no-verify", "--message", "Before");
}

function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 1e9 });
}
