import type { ResourceLanguage } from "i18next";
import type { Language } from "./languages.ts";

/** Returns the translations of a language by namespace. Only the server holds them all. */
export function translationsOf(language: Language): ResourceLanguage {
  // Inside the function, because browser tests load this file without Vite, which replaces the call.
  // scripts/join-texts.ts writes the files from `locales`.
  const files = import.meta.glob<Record<string, unknown>>("../../.texts/*/*.json", {
    eager: true,
    import: "default",
  });
  return Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path.includes(`/${language}/`))
      .map(([path, sentences]) => [path.replace(/^.*\/|\.json$/g, ""), sentences]),
  );
}
