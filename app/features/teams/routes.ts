import type { FeatureRoute } from "../../feature.ts";

export const teamRoutes = [
  { in: "organization", path: "teams", file: "organization-teams.tsx" },
  { in: "organization", path: "teams/:team", file: "organization-team.tsx" },
] as const satisfies readonly FeatureRoute[];
