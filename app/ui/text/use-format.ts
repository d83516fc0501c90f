import { useRouteLoaderData } from "react-router";
import { formatsOf } from "../../i18n/formats.ts";
import { DEFAULT_LANGUAGE, isLanguage } from "../../i18n/languages.ts";
import { useTranslation } from "./translation.tsx";

/**
 * Formats numbers and dates in the reader's language and time zone. The browser's Intl may differ from the server's, so put the text
 * into `Formatted` or into an element with `suppressHydrationWarning`.
 */
export function useFormat() {
  const { language } = useTranslation().i18n;
  return formatsOf(isLanguage(language) ? language : DEFAULT_LANGUAGE, useTimeZone());
}

/** The same for calendar days such as "2026-11-27", which belong to no time zone. */
export function useDayFormat() {
  const { language } = useTranslation().i18n;
  return formatsOf(isLanguage(language) ? language : DEFAULT_LANGUAGE);
}

/**
 * Returns the time zone of local times. The server chooses it for the browser as well, so that both write the same. It
 * is UTC on an error page, where no loader has run.
 */
export function useTimeZone(): string {
  return useRouteLoaderData<{ timeZone?: string }>("root")?.timeZone ?? "UTC";
}
