import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";

export const facts = {} satisfies FeatureTests;
