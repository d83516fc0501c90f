import type { FeatureRoute } from "../../feature.ts";

export const waitingListRoutes = [
  { in: "login", path: "login/waiting-list", file: "join.tsx" },
  { in: "settings", path: "waiting-list", file: "waiting-list.tsx" },
] as const satisfies readonly FeatureRoute[];
