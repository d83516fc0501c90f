/** The product's languages (spec section 9); the first is the default. */
export const LANGUAGES = ["en", "fr", "ar", "sw"] as const;

export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = "en";

/** Each language's name in itself: whoever looks for it can read that one. */
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

/** The product's language that a tag asks for, whatever its region: `fr` for `fr-CA` (RFC 4647, lookup). */
export function languageOfTag(tag: string): Language | undefined {
  const [primary = ""] = tag.toLowerCase().split("-");
  return isLanguage(primary) ? primary : undefined;
}

/** The writing direction of a language. */
export function directionOf(language: Language): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}

/** How much larger text is set, so that Arabic's smaller letters read as easily as Latin ones. */
export function fontScaleOf(language: Language): number {
  return language === "ar" ? 1.2 : 1;
}

/**
 * The locale for dates and numbers. Arabic keeps the digits the rest of the product uses, so that codes, counts
 * and times on one screen are of one kind.
 */
export function formatLocaleOf(language: Language): string {
  return language === "ar" ? "ar-u-nu-latn" : language;
}
