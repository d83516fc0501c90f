import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { APP_TESTS } from "./support/app-tests.ts";

type Lock = { packages: Record<string, { version?: string }> };

const root = join(import.meta.dirname, "..");
const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;

function versionsOf(name: string): (string | undefined)[] {
  return Object.entries(packages)
    .filter(([path]) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`))
    .map(([, { version }]) => version);
}

/** Returns the dependencies of a package, read from the installed copy. */
function dependenciesOf(name: string): Record<string, string> {
  const file = join(root, "node_modules", name, "package.json");
  return JSON.parse(readFileSync(file, "utf8")).dependencies;
}

describe("better-auth and its passkey plugin", () => {
  // The plugin reads better-auth's request state through these modules; a second copy has a state of its own.
  const shared = ["@better-auth/utils", "@better-fetch/fetch", "better-call", "@better-auth/core"];

  test.each(shared)("share one copy of %s, in the version that better-auth requires", (name) => {
    expect(versionsOf(name)).toEqual([dependenciesOf("better-auth")[name]]);
  });
});

test("the product imports every package that it depends on", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const sources = globSync("app/**/*.{ts,tsx}", { cwd: root, exclude: APP_TESTS })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  const unused = Object.keys(dependencies).filter(
    (name) => !new RegExp(`(from|import\\()\\s*"${name}["/]`).test(sources),
  );

  expect(unused).toEqual([]);
});
