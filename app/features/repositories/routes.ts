import type { FeatureRoute } from "../../feature.ts";

export const repositoryRoutes = [
  { in: "app", path: "repositories", file: "app-repositories.tsx" },
  { in: "app", path: "repositories/:id", file: "app-repository.tsx" },
  { in: "manager", path: "repositories", file: "repositories.tsx" },
  { in: "manager", path: "repositories/new", file: "repository-new.tsx" },
  { in: "manager", path: "repositories/:id", file: "repository.tsx" },
  { in: "manager", path: "repositories/:id/update", file: "repository-update.tsx" },
  { in: "manager-files", path: "repositories/export", file: "repositories-export.ts" },
  { in: "root", path: "api/v1/repositories", file: "api-repositories.ts" },
  { in: "root", path: "api/v1/repositories/:id", file: "api-repository.ts" },
] as const satisfies readonly FeatureRoute[];
