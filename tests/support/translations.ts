import { createInstance } from "i18next";
import type { Language } from "../../app/i18n/languages.ts";
import { joinTexts } from "../../scripts/join-texts.ts";

/** Returns the product's translations in one language, by `namespace:key`. Throws for a missing key. */
export function translationsIn(language: Language) {
  const i18n = createInstance({
    lng: language,
    resources: { [language]: joinTexts(language) },
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  void i18n.init();
  // The tests compose keys from parts, such as the reasons of the error screen.
  const translate = i18n.t as (key: string, values: object) => string;
  return (key: string, values: Record<string, string | number> = {}): string => {
    if (!i18n.exists(key, values)) throw new Error(`There is no translation ${language} ${key}`);
    return translate(key, values);
  };
}
