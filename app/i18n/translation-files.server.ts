import { byLanguage, type Language } from "./languages.ts";

// Mails are written on the server, so their texts get no URL.
const files = import.meta.glob<string>(["../../.texts/*/*.json", "!../../.texts/*/mail.json"], {
  eager: true,
  import: "default",
  query: "?url",
});

const filesOf = byLanguage((language) =>
  Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path.includes(`/${language}/`))
      .map(([path, url]) => [path.replace(/^.*\/|\.json$/g, ""), url]),
  ),
);

/**
 * Returns the URLs from which the browser fetches each namespace of one language. A page gets only the URLs of its own
 * language.
 */
export function translationFiles(language: Language): Record<string, string> {
  return filesOf[language];
}
