import type { FeatureRoute } from "../../feature.ts";

export const webhookRoutes = [
  { in: "settings", path: "webhooks", file: "settings-webhooks.tsx" },
  { in: "settings", path: "webhooks/:id", file: "settings-webhook.tsx" },
  { in: "organization", path: "webhooks", file: "organization-webhooks.tsx" },
  { in: "organization", path: "webhooks/:id", file: "organization-webhook.tsx" },
  { in: "root", path: "api/v1/events", file: "events.ts" },
] as const satisfies readonly FeatureRoute[];
