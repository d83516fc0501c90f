import type { FeatureRoute } from "../../feature.ts";

export const importRoutes = [
  { in: "manager", path: "users/import", file: "users-import.tsx" },
  { in: "manager-files", path: "users/import/wrong-lines", file: "users-import-wrong.ts" },
] as const satisfies readonly FeatureRoute[];
