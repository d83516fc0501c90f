import { createInstance, type i18n as I18n } from "i18next";
import type { Language } from "./languages.ts";
import { i18nOptions } from "./options.ts";
import { translationsOf } from "./resources.server.ts";

const instances = new Map<Language, I18n>();

/** Returns the i18n instance of one language. It never changes, so one serves every request of the isolate. */
export function i18nFor(language: Language): I18n {
  const existing = instances.get(language);
  if (existing) return existing;
  const instance = createInstance({
    ...i18nOptions,
    lng: language,
    resources: { [language]: translationsOf(language) },
    initAsync: false,
  });
  void instance.init();
  instances.set(language, instance);
  return instance;
}
