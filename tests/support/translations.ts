import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInstance } from "i18next";
import type { Language } from "../../app/i18n/languages.ts";

const LOCALES = resolve(import.meta.dirname, "../../locales");

/** Returns the product's translations in one language, by `namespace:key`. Throws for a missing key. */
export function translationsIn(language: Language) {
  const folder = join(LOCALES, language);
  const namespaces = Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.replace(/\.json$/, ""),
      JSON.parse(readFileSync(join(folder, file), "utf8")),
    ]),
  );
  const i18n = createInstance({
    lng: language,
    resources: { [language]: namespaces },
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
