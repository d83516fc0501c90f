import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { imports } from "./support/imports.ts";

const GUIDE = "app/features/style-guide/";

/** What only arranges others, and the page for when nothing else can be drawn. */
const NOT_SHOWN = ["header-tools.tsx", "last-resort.tsx", "single-column.tsx"];

test("the style guide shows every component of app/ui", () => {
  const shown = new Set<string>();
  function follow(file: string) {
    for (const { from, to, isOurs, isTypeOnly } of imports) {
      if (from !== file || !isOurs || isTypeOnly || shown.has(to)) continue;
      shown.add(to);
      follow(to);
    }
  }
  const guide = new Set(imports.map(({ from }) => from).filter((file) => file.startsWith(GUIDE)));
  for (const file of guide) follow(file);

  const components = readdirSync("app/ui").filter((name) => name.endsWith(".tsx"));
  expect(components.length).toBeGreaterThan(50);
  expect(components.filter((name) => !shown.has(`app/ui/${name}`))).toEqual(NOT_SHOWN);
});
