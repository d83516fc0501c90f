import type { FeatureRoute } from "../../feature.ts";

export const sharingRoutes = [
  { in: "organization", path: "repositories", file: "organization-repositories.tsx" },
  {
    in: "root",
    path: "api/v1/repositories/:id/organizations/:organization",
    file: "api-sharing.ts",
  },
] as const satisfies readonly FeatureRoute[];
