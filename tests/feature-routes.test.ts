import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { FeatureRoute } from "../app/feature.ts";
import { FEATURE_ROUTES } from "../app/features.ts";
import { files, isServerOnly, ROOT } from "./support/imports.ts";

test("each screen of a feature has a URL in the feature's list, and each URL its screen", () => {
  const screens = files.filter(
    (file) => /^app\/features\/[^/]+\/routes\//.test(file) && !isServerOnly(file),
  );
  const listed = Object.entries<readonly FeatureRoute[]>(FEATURE_ROUTES).flatMap(([name, routes]) =>
    routes.map(({ file }) => `app/features/${name}/routes/${file}`),
  );

  expect([...new Set(listed)].toSorted()).toEqual(screens);
});

test("only the list of URLs reads those of the features", () => {
  const reading = files.filter((file) =>
    readFileSync(join(ROOT, file), "utf8").includes("FEATURE_ROUTES"),
  );

  expect(reading).toEqual(["app/features.ts", "app/routes.ts"]);
});
