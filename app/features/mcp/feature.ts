import type texts from "../../../locales/en/mcp.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

/** Lets agents call the API by the Model Context Protocol. */
export const mcp = {
  name: "mcp",
  needs: ["api-keys", "connected-apps"],
  texts: { mcp: textsOf<typeof texts>() },
  panels: { "agent-url": { in: "connected-apps:own" } },
} as const satisfies FeatureFacts;
