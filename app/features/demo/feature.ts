import type texts from "../../../locales/en/demo.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

/** A public, read-only demonstration with sample data: `DEMO=true`. */
export const demo = {
  name: "demo",
  texts: { demo: textsOf<typeof texts>() },
} as const satisfies FeatureFacts;
