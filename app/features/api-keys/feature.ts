import type { FeatureFacts } from "../../feature.ts";

/** Keys with which programs call `/api/v1`, and the description of all calls. */
export const apiKeys = {
  name: "api-keys",
} as const satisfies FeatureFacts;
