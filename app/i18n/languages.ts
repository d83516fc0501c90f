/** The product's languages (spec section 9); the first is the default. */
export const LANGUAGES = ["en", "fr", "ar", "sw"] as const;

export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = "en";

export const LANGUAGE_NAMES: Record<Language, string> = {
  en: "English",
  fr: "Français",
  ar: "العربية",
  sw: "Kiswahili",
};

export const LANGUAGE_PARAM = "lng";
export const LANGUAGE_COOKIE = "i18next";
export const LANGUAGE_STORAGE_KEY = "i18nextLng";
export const LANGUAGE_COOKIE_MAX_AGE_MINUTES = 43_200;

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** Returns the product's language for a language tag, whatever its region: `fr` for `fr-CA` (RFC 4647, lookup). */
export function languageOfTag(tag: string): Language | undefined {
  const [primary = ""] = tag.toLowerCase().split("-");
  return isLanguage(primary) ? primary : undefined;
}

export function directionOf(language: Language): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}

/** Returns the font scale, because Arabic letters look smaller than Latin ones at the same size. */
export function fontScaleOf(language: Language): number {
  return language === "ar" ? 1.2 : 1;
}

/**
 * Returns the locale for dates and numbers. English dates begin with the day ("12 Mar 2025"), as in
 * the other languages. Arabic uses Western digits like the rest of the product, so that codes,
 * counts and times on one screen look alike.
 */
export function formatLocaleOf(language: Language): string {
  if (language === "en") return "en-GB";
  return language === "ar" ? "ar-u-nu-latn" : language;
}
