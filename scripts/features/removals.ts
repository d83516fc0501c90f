import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type KnownFeature, ROOT } from "./known.ts";

/** What decides which features the tests take out of copies of the project. */
export type Occasion = {
  features: readonly Pick<KnownFeature, "name" | "folder" | "texts" | "migrations">[];
  /** GATEHOUSE_REMOVE: a space separates runs, a comma the features of one run. */
  asked?: string;
  isFull: boolean;
  /** The hash of the commit; undefined where no history is there. */
  commit?: string;
  /** The files of the diff. */
  changed: readonly string[];
};

/**
 * Returns the features to take out, together in each run. The gate has at most two runs: the features that the diff
 * touches, and one by the commit's hash, so that each has its turn.
 */
export function chooseRemovals({
  features,
  asked,
  isFull,
  commit,
  changed,
}: Occasion): readonly string[][] {
  const all = features.map(({ name }) => name);
  if (asked) return readAsked(asked, all);
  if (all.length === 0) return [];
  const each = all.map((name) => [name]);
  if (isFull) return all.length === 1 ? each : [...each, all];
  const touched = features.filter((one) => changed.some((file) => isOf(one, file)));
  const together = touched.map(({ name }) => name);
  const turn = all[Number.parseInt(commit?.slice(0, 8) ?? "0", 16) % all.length];
  const alone = turn === undefined || together.includes(turn) ? [] : [[turn]];
  return together.length === 0 ? alone : [together, ...alone];
}

function readAsked(asked: string, all: readonly string[]): string[][] {
  const sets = asked
    .trim()
    .split(/\s+/)
    .map((names) => names.split(","));
  const unknown = sets.flat().find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `GATEHOUSE_REMOVE: there is no feature "${unknown}". Choose from: ${all.join(", ")}`,
    );
  }
  return sets;
}

function isOf(
  { folder, texts, migrations }: Pick<KnownFeature, "folder" | "texts" | "migrations">,
  file: string,
): boolean {
  return file.startsWith(`${folder}/`) || texts.includes(file) || migrations.includes(file);
}

/** The branch to which a change goes, as a clone or a worktree knows it. */
const MAIN = ["origin/main", "main"];

/**
 * Reads the commit, and the files that differ from the branch to which the change goes, committed
 * or not. On that branch itself the change is the last commit. A shallow checkout does not know it,
 * and a copy without history no commit.
 */
export function readDiff(): Pick<Occasion, "commit" | "changed"> {
  // A folder above can have a history of its own.
  if (!existsSync(join(ROOT, ".git"))) return { changed: [] };
  const commit = git("rev-parse", "HEAD");
  const fork = MAIN.map((branch) => git("merge-base", branch, "HEAD")).find(Boolean);
  const base = fork && fork !== commit ? fork : git("rev-parse", "--verify", "HEAD~1");
  const committed = git("diff", "--name-only", base ?? "HEAD");
  const added = git("ls-files", "--others", "--exclude-standard");
  return { commit, changed: [committed, added].flatMap((files) => files?.split("\n") ?? []) };
}

/** Returns what git says; undefined where it fails. */
function git(...args: string[]): string | undefined {
  try {
    return execFileSync("git", args, {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: 1e9,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
