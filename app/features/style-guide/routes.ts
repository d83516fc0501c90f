import type { FeatureRoute } from "../../feature.ts";

export const styleGuideRoutes = [
  { in: "root", path: "dev/ui", file: "dev-ui.tsx" },
] as const satisfies readonly FeatureRoute[];
