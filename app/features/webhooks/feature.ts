import type { FeatureFacts } from "../../feature.ts";

/** Events for the systems of others, sent to their endpoints and read as a stream. */
export const webhooks = {
  name: "webhooks",
} as const satisfies FeatureFacts;
