import type { FeatureFacts } from "../../feature.ts";

/** A story for each component of `ui`, for developers. */
export const styleGuide = {
  name: "style-guide",
} as const satisfies FeatureFacts;
