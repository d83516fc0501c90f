import { open } from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { screensOf } from "../../../../tests/support/screen.ts";

export const facts = {
  access: { "/dev/ui": open(404, 405) },
  screens: screensOf("anyone", { ui: "/dev/ui" }),
} satisfies FeatureTests;
