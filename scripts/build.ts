import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { run } from "./run.ts";

/** Files that decide the contents of the build. */
const INPUTS = [
  "app/**",
  "locales/**",
  "public/**",
  "package-lock.json",
  "react-router.config.ts",
  "tsconfig.json",
  "vite.config.ts",
  "wrangler.toml",
];

const STAMP = "build/.inputs";

export type BuildResult = { ok: true; isNew: boolean } | { ok: false; output: string };

/** Builds the worker and its assets into `build/`, unless the existing build was made from the same files. */
export async function build(): Promise<BuildResult> {
  const inputs = hashInputs();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === inputs)
    return { ok: true, isNew: false };

  rmSync("build", { recursive: true, force: true });
  const { code, output } = await run("react-router", ["build"], { quiet: true });
  if (code !== 0) return { ok: false, output };
  writeFileSync(STAMP, inputs);
  return { ok: true, isNew: true };
}

function hashInputs() {
  const hash = createHash("sha256");
  for (const file of globSync(INPUTS).sort()) {
    if (statSync(file).isFile()) hash.update(`${file}\0`).update(readFileSync(file));
  }
  return hash.digest("hex");
}
