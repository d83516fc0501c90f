import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";

export const facts: FeatureTests = {
  personal: ["deleted_sharing"],
};
