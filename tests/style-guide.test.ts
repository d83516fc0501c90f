import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { imports } from "./support/imports.ts";

/** Components that other components draw. */
const PARTS = [
  ...["asked-intent.tsx", "calendar.tsx", "day-popover.tsx", "formatted.tsx", "lazy-calendar.tsx"],
  ...["scroll-region.tsx", "top-layer.tsx", "typed-day.tsx", "with-breaks.tsx"],
];
/** Layout components, and the last-resort page. */
const NOT_SHOWN = ["header-tools.tsx", "last-resort.tsx", "single-column.tsx"];

test("the style guide shows every component of app/ui", () => {
  const shown = imports
    .filter(({ from, isTypeOnly }) => from.startsWith("app/features/style-guide/") && !isTypeOnly)
    .map(({ to }) => to);

  const components = readdirSync("app/ui").filter((name) => name.endsWith(".tsx"));
  expect(components.length).toBeGreaterThan(50);
  expect(components.filter((name) => !shown.includes(`app/ui/${name}`)).sort()).toEqual(
    [...PARTS, ...NOT_SHOWN].sort(),
  );
});
