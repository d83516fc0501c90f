import type { Resource } from "i18next";
import { byLanguage } from "./languages.ts";

// scripts/join-texts.ts writes them from `locales`.
const files = import.meta.glob<Record<string, unknown>>("../../.texts/*/*.json", {
  eager: true,
  import: "default",
});

/** All translations, by language and namespace. Only the server holds them all. */
export const resources: Resource = byLanguage((language) =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path.includes(`/${language}/`))
      .map(([path, sentences]) => [path.replace(/^.*\/|\.json$/g, ""), sentences]),
  ),
);
