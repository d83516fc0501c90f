import { formatsOf } from "../../i18n/formats.ts";
import { useLanguage } from "./translation.tsx";
import { useTimeZone } from "./use-time-zone.ts";

/**
 * Formats numbers and dates in the reader's language and time zone. The browser's Intl may differ
 * from the server's, so put the text into `Formatted` or into an element with
 * `suppressHydrationWarning`.
 */
export function useFormat() {
  return formatsOf(useLanguage(), useTimeZone());
}

/** The same for calendar days such as "2026-11-27", which belong to no time zone. */
export function useDayFormat() {
  return formatsOf(useLanguage());
}
