import type { FeatureFacts } from "../../feature.ts";

/** Users from a file. */
export const userImport = {
  name: "import",
} as const satisfies FeatureFacts;
