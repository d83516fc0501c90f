import { useTranslation } from "../ui/translation.tsx";
import { DEFAULT_LANGUAGE, formatLocaleOf, isLanguage } from "./languages.ts";

/** Writes numbers as the reader's language does. */
export function useFormat() {
  const { language } = useTranslation().i18n;
  const locale = formatLocaleOf(isLanguage(language) ? language : DEFAULT_LANGUAGE);
  return {
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    /** With its sign, zero included. */
    signed: (value: number) =>
      new Intl.NumberFormat(locale, { signDisplay: "always" }).format(value),
    /** A day of the calendar, in UTC. */
    day: (date: Date) =>
      new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" }).format(date),
    /** A moment to the minute, in UTC and saying so. */
    moment: (date: Date) =>
      `${new Intl.DateTimeFormat(locale, {
        dateStyle: "medium",
        timeStyle: "short",
        timeZone: "UTC",
      }).format(date)} UTC`,
  };
}
