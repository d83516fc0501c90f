import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { copyFile, mkdir, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** Fills a folder with the files of a commit, or with the files as they are now, and links the installed packages. */
export async function copyProject(folder: string, commit?: string): Promise<void> {
  const archive = commit ? git(["archive", commit]) : archiveOfNow();
  execFileSync("tar", ["xf", "-"], { cwd: folder, input: archive });
  // Each package is a link, not the whole folder: Tailwind would search a linked folder for class
  // names, for half a minute.
  await mkdir(join(folder, "node_modules"));
  for (const name of await readdir(join(ROOT, "node_modules"))) {
    if (name === ".cache" || name.startsWith(".vite")) continue;
    const [from, to] = [join(ROOT, "node_modules", name), join(folder, "node_modules", name)];
    // npm writes into this file, and must not write into the project's own.
    await (name === ".package-lock.json" ? copyFile(from, to) : symlink(from, to));
  }
}

function archiveOfNow() {
  const names = listFiles().split("\0");
  // Git also lists a file that was deleted and not committed.
  const files = names.filter((name) => name !== "" && existsSync(join(ROOT, name)));
  const options = { cwd: ROOT, input: files.join("\0"), maxBuffer: 1e9 };
  return execFileSync("tar", ["cf", "-", "--null", "-T", "-"], options);
}

function listFiles(): string {
  const list = ["ls-files", "-co", "--exclude-standard", "-z"];
  if (existsSync(join(ROOT, ".git"))) return git(list).toString();
  // A copy without history has the list of files that git leaves out.
  const empty = mkdtempSync(join(tmpdir(), "gatehouse-history-"));
  try {
    git(["init", "--quiet", "--bare", empty]);
    return git([`--git-dir=${empty}`, "--work-tree=.", ...list]).toString();
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

function git(args: string[]): Buffer {
  return execFileSync("git", args, {
    cwd: ROOT,
    maxBuffer: 1e9,
    stdio: ["ignore", "pipe", "ignore"],
  });
}
