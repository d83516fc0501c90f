import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { imports, isServerOnly, ROOT } from "./support/imports.ts";

const STYLES = "app/styles/login.css";
/** The modules of a sign-in page before any other screen is opened. */
const ENTRIES = ["layout", "login", "verify", "error", "join"];

/** Lists the components that the sign-in pages import, directly or not. */
function listComponents(): string[] {
  const reached = new Set([
    "app/root.tsx",
    "app/entry.client.tsx",
    ...ENTRIES.map((name) => `app/routes/login/${name}.tsx`),
  ]);
  // Iterating a set includes elements that are added meanwhile.
  for (const file of reached) {
    for (const { from, to, isOurs, isTypeOnly } of imports) {
      if (from === file && isOurs && !isTypeOnly && !isServerOnly(to)) reached.add(to);
    }
  }
  return [...reached].filter((file) => file.endsWith(".tsx")).sort();
}

test("login.css is made from each component that the sign-in pages import, and from no other", () => {
  const text = readFileSync(join(ROOT, STYLES), "utf8");
  const sources = Array.from(
    text.matchAll(/^@source "\.\.\/(.+)";$/gm),
    ([, path]) => `app/${path}`,
  );

  expect(sources).toEqual(listComponents());
});
