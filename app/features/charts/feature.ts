import type texts from "../../../locales/en/charts.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

/** Charts by day on the dashboard: sign-ins, sign-ups and wrong codes. */
export const charts = {
  name: "charts",
  texts: { charts: textsOf<typeof texts>() },
  panels: { trends: { in: "dashboard" } },
} as const satisfies FeatureFacts;
