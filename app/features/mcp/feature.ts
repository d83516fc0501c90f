import type { FeatureFacts } from "../../feature.ts";

/** Lets agents call the API by the Model Context Protocol. */
export const mcp = {
  name: "mcp",
  needs: ["api-keys", "connected-apps"],
} as const satisfies FeatureFacts;
