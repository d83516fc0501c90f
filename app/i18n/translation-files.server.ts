import { LANGUAGES, type Language } from "./languages.ts";

const files = import.meta.glob<string>("../../.texts/*/*.json", {
  eager: true,
  import: "default",
  query: "?url",
});

const filesOf = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    Object.fromEntries(
      Object.entries(files)
        .filter(([path]) => path.includes(`/${language}/`) && !path.endsWith("/mail.json"))
        .map(([path, url]) => [path.replace(/^.*\/|\.json$/g, ""), url]),
    ),
  ]),
);

/**
 * Returns the URLs from which the browser fetches each namespace of one language. A page gets only the URLs of its own
 * language.
 */
export function translationFiles(language: Language): Record<string, string> {
  return filesOf[language] ?? {};
}
