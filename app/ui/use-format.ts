import { formatsOf } from "../i18n/formats.ts";
import { DEFAULT_LANGUAGE, isLanguage } from "../i18n/languages.ts";
import { useTranslation } from "./translation.tsx";

/**
 * Formats numbers and dates in the reader's language. The browser's Intl may differ from the server's, so put the text
 * into `Formatted` or into an element with `suppressHydrationWarning`.
 */
export function useFormat() {
  const { language } = useTranslation().i18n;
  return formatsOf(isLanguage(language) ? language : DEFAULT_LANGUAGE);
}
