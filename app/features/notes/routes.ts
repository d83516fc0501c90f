import type { FeatureRoute } from "../../feature.ts";

export const noteRoutes = [
  { in: "manager", path: "users/:id/notes", file: "user-notes.tsx" },
] as const satisfies readonly FeatureRoute[];
