import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { screensOf } from "../../../../tests/support/screen.ts";

export const facts: FeatureTests = {
  screens: screensOf("anyone", { "demo-login": "/login" }, "demo"),
};
