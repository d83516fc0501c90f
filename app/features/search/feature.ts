import type texts from "../../../locales/en/search.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

/** The command palette, and the list of keys. */
export const search = {
  name: "search",
  texts: { search: textsOf<typeof texts>() },
} as const satisfies FeatureFacts;
