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
  };
}
