import type { Language } from "./languages.ts";

const files = import.meta.glob<string>("../../locales/*/*.json", {
  eager: true,
  import: "default",
  query: "?url",
});

/** Where the browser fetches each namespace of one language; a page is told the addresses of its own language only. */
export function sentenceFiles(language: Language): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files)
      .filter(([path]) => path.includes(`/${language}/`) && !path.endsWith("/mail.json"))
      .map(([path, address]) => [path.replace(/^.*\/|\.json$/g, ""), address]),
  );
}
