import type { FeatureFacts } from "../../feature.ts";

/** Tells other Workers of the same account who a request's user is and what they may do, by a service binding. */
export const serviceBinding = {
  name: "service-binding",
} as const satisfies FeatureFacts;
