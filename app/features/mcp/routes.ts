import type { FeatureRoute } from "../../feature.ts";

export const mcpRoutes = [
  { in: "root", path: "mcp", file: "mcp.ts" },
  { in: "root", path: ".well-known/oauth-protected-resource/*", file: "protected-resource.ts" },
] as const satisfies readonly FeatureRoute[];
