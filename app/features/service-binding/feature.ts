import type { FeatureFacts } from "../../feature.ts";

/**
 * Tells other Workers of the same account, by a service binding, who is signed in and what they may
 * do.
 */
export const serviceBinding = {
  name: "service-binding",
} as const satisfies FeatureFacts;
