import type { FeatureRoute } from "../../feature.ts";

export const apiKeyRoutes = [
  { in: "account", path: "keys", file: "account-keys.tsx" },
  { in: "account", path: "keys/:key", file: "account-key.tsx" },
  { in: "organization", path: "keys", file: "organization-keys.tsx" },
  { in: "organization", path: "keys/:key", file: "organization-key.tsx" },
  { in: "manager-files", path: "users/:id/keys", file: "user-keys.ts" },
  { in: "root", path: "api/docs", file: "docs.tsx" },
  { in: "root", path: "api/docs.md", file: "docs-text.ts" },
  { in: "root", path: "api/openapi.json", file: "openapi.ts" },
  { in: "root", path: "api/v1/me", file: "api-me.ts" },
  { in: "root", path: "api/v1/*", file: "api-not-found.ts" },
] as const satisfies readonly FeatureRoute[];
