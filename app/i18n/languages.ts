type LanguageFacts = {
  /** As its own readers write it. */
  name: string;
  /** Where it is not written from left to right. */
  direction?: "rtl";
  /** Where its letters look smaller than Latin ones at the same size. */
  fontScale?: number;
  /** Locale for dates and numbers, where it is not the language's tag. */
  formats?: string;
  /** First day of the week, where it is not Monday: 0 is Sunday, 6 is Saturday. */
  weekStart?: 0 | 6;
  /** Names of days above a calendar, from Sunday on, where the short ones of Intl do not fit. */
  weekdays?: string;
};

/**
 * The product's languages (spec section 9); the first is the default. English dates begin with the day
 * ("12 Mar 2025"), as in the other languages. Arabic uses Western digits like the rest of the product, so that codes,
 * counts and times on one screen look alike. Intl has no short names of days in Swahili.
 */
const FACTS = {
  en: { name: "English", formats: "en-GB", weekStart: 0 },
  fr: { name: "Français" },
  ar: {
    name: "العربية",
    direction: "rtl",
    fontScale: 1.2,
    formats: "ar-u-nu-latn",
    weekStart: 6,
    weekdays: "ح ن ث ر خ ج س",
  },
  sw: { name: "Kiswahili", weekdays: "Jpl Jtt Jnn Jtn Alh Ijm Jms" },
} as const satisfies Record<string, LanguageFacts>;

export type Language = keyof typeof FACTS;

/** The same, so that each may have what only some have. */
const FACTS_OF: Record<Language, LanguageFacts> = FACTS;

export const LANGUAGES: readonly Language[] = Object.keys(FACTS).filter(isLanguage);

export const DEFAULT_LANGUAGE = "en" satisfies Language;

/** The languages' own names, by which their readers find them. */
export const LANGUAGE_NAMES = byLanguage((language) => FACTS_OF[language].name);

export const LANGUAGE_PARAM = "lng";
export const LANGUAGE_COOKIE = "i18next";
export const LANGUAGE_STORAGE_KEY = "i18nextLng";
export const LANGUAGE_COOKIE_MAX_AGE_MINUTES = 43_200;

export function isLanguage(value: unknown): value is Language {
  return typeof value === "string" && Object.hasOwn(FACTS, value);
}

/** Returns the product's language for a language tag, whatever its region: `fr` for `fr-CA` (RFC 4647, lookup). */
export function languageOfTag(tag: string): Language | undefined {
  const [primary = ""] = tag.toLowerCase().split("-");
  return isLanguage(primary) ? primary : undefined;
}

/** Returns a value for each language. */
export function byLanguage<Value>(pick: (language: Language) => Value): Record<Language, Value> {
  const entries = LANGUAGES.map((language) => [language, pick(language)]);
  // Entries lose that they are of every language.
  return Object.fromEntries(entries) as Record<Language, Value>;
}

export function directionOf(language: Language): "ltr" | "rtl" {
  return FACTS_OF[language].direction ?? "ltr";
}

export function fontScaleOf(language: Language): number {
  return FACTS_OF[language].fontScale ?? 1;
}

/** Returns the locale for dates and numbers. */
export function formatLocaleOf(language: Language): string {
  return FACTS_OF[language].formats ?? language;
}

/** Returns how a calendar shows weeks; without `weekdays` their names are the short ones of Intl. */
export function weekOf(language: Language): { start: 0 | 1 | 6; weekdays: string[] | undefined } {
  const { weekStart, weekdays } = FACTS_OF[language];
  return { start: weekStart ?? 1, weekdays: weekdays?.split(" ") };
}
