import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { ownFacts } from "./own-facts.ts";

export const facts = { ...ownFacts } satisfies FeatureTests;
