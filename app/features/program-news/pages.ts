import type { NewsPage } from "../../feature.ts";
import { joined } from "../../features.ts";

/** The pages that news lead to, by name. */
export const NEWS_PAGES: Readonly<Record<string, NewsPage>> = joined("news");

/** Returns the page of a kind of news; undefined for a kind of a feature that is gone. */
export function pageOf(kind: string): string | undefined {
  const found = Object.entries(NEWS_PAGES).find(([, { kinds }]) => kinds.includes(kind));
  return found?.[0];
}
