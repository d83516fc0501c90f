import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { files, imports, isServerOnly, ROOT } from "./support/imports.ts";

const STYLES = "app/styles/login.css";

/** Lists the modules that the sign-in pages import, directly or not, before any other screen is opened. */
function listModules(): string[] {
  const screens = files.filter((file) => /^app\/routes\/login\/[^/]+\.tsx$/.test(file));
  const reached = new Set(["app/root.tsx", "app/entry.client.tsx", ...screens]);
  // Iterating a set includes elements that are added meanwhile.
  for (const file of reached) {
    for (const { from, to, isOurs, isTypeOnly } of imports) {
      if (from === file && isOurs && !isTypeOnly && !isServerOnly(to)) reached.add(to);
    }
  }
  return [...reached].filter((file) => /\.tsx?$/.test(file)).sort();
}

test("login.css is made from each component that the sign-in pages import, and from no other", () => {
  const text = readFileSync(join(ROOT, STYLES), "utf8");
  const sources = Array.from(
    text.matchAll(/^@source "\.\.\/(.+)";$/gm),
    ([, path]) => `app/${path}`,
  );

  expect(sources).toEqual(listModules().filter((file) => file.endsWith(".tsx")));
});

test("no other module of the sign-in pages has classes, which login.css would lack", () => {
  const others = listModules().filter((file) => file.endsWith(".ts"));

  expect(others.length).toBeGreaterThan(10);
  expect(
    others.filter((file) => /className|Class =/.test(readFileSync(join(ROOT, file), "utf8"))),
  ).toEqual([]);
});
