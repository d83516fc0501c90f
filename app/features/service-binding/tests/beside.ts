import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import type { BesideWorker } from "../../../../scripts/worker.ts";

// Workers beside the product, at paths of its host.

const HERE = import.meta.dirname;
export const EXAMPLES = resolve(HERE, "../../../../examples");
const COURSES = join(EXAMPLES, "react-router");

/** The bindings of the examples. */
const bindings = { GATEHOUSE: "Identity" };

/** What runs in front of the product, so that the entrypoint belongs to the test that runs. */
export const FRONT = join(HERE, "identity-front.js");

/** Asks the product what its URL says. */
export const ASKING: BesideWorker = {
  name: "asking",
  modules: { "asking.js": readFileSync(join(HERE, "asking-worker.js"), "utf8") },
  bindings,
  paths: ["/app/asking/*"],
};

/** The example in plain TypeScript. */
export const SHOP: BesideWorker = {
  name: "shop",
  modules: { "index.js": transpiled(join(EXAMPLES, "worker/src/index.ts")) },
  bindings,
  paths: ["/app/shop*"],
};

/** Builds the example in React Router. */
export async function courses(): Promise<BesideWorker> {
  await promisify(execFile)("react-router", ["build"], { cwd: COURSES });
  return {
    name: "courses",
    modules: modulesIn(join(COURSES, "build/server")),
    bindings,
    paths: ["/app/courses*"],
    assets: join(COURSES, "build/client"),
  };
}

function transpiled(file: string): string {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2024 };
  return ts.transpile(readFileSync(file, "utf8"), options);
}

function modulesIn(folder: string): Record<string, string> {
  const files = ["index.js", ...globSync("**/*.js", { cwd: folder })];
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}
