// npm run build: builds the product into build/. `wrangler deploy` runs it too, by wrangler.toml.
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { run } from "./run.ts";
import { fail, step } from "./terminal.ts";
import { newVersion, type Version } from "./version.ts";

/** Files that decide the contents of the build. */
const INPUTS = [
  "app/**",
  "locales/**",
  "migrations/**",
  "public/**",
  "docs/api.md",
  "scripts/join-texts.ts",
  "package.json",
  "package-lock.json",
  "react-router.config.ts",
  "tsconfig.json",
  "vite.config.ts",
  "wrangler.toml",
];

/** Files below them that a build leaves out. */
const NO_INPUTS = ["app/**/*.test.ts", "app/features/*/tests/**", "app/features/*/docs.md"];

const STAMP = "build/.inputs";
const VERSION = "build/.version.json";

/** Written by the vite plugin: wrangler would upload by it, for one environment and without a new build. */
const REDIRECT = ".wrangler/deploy";

export type BuildResult = { ok: true; isNew: boolean } | { ok: false; output: string };

/** Builds the worker and its assets into `build/`, unless the existing build was made from the same files. */
export async function build(): Promise<BuildResult> {
  rmSync(REDIRECT, { recursive: true, force: true });
  if (isBuildCurrent()) return { ok: true, isNew: false };
  const inputs = hashInputs();
  rmSync("build", { recursive: true, force: true });
  const version = JSON.stringify(newVersion());
  const { code, output } = await run("react-router", ["build"], {
    quiet: true,
    env: { GATEHOUSE_BUILD: version },
  });
  if (code !== 0) return { ok: false, output };
  rmSync(REDIRECT, { recursive: true, force: true });
  writeFileSync(VERSION, version);
  writeFileSync(STAMP, inputs);
  return { ok: true, isNew: true };
}

/** True when `build/` was made from the files as they are now. */
export function isBuildCurrent(): boolean {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === hashInputs();
}

/** Reads the version of the build that `build/` holds. */
export function readVersion(): Version {
  return JSON.parse(readFileSync(VERSION, "utf8"));
}

/** Describes the result in a few words, for a line of a script. */
export function describeBuild(result: BuildResult) {
  if (!result.ok) return "failed";
  return result.isNew ? "made for production" : "nothing changed since the last one";
}

function hashInputs() {
  const hash = createHash("sha256");
  for (const file of globSync(INPUTS, { exclude: NO_INPUTS }).sort()) {
    if (statSync(file).isFile()) hash.update(`${file}\0`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

if (import.meta.main) {
  const result = await step("build", build, describeBuild);
  if (!result.ok) fail(result.output);
}
