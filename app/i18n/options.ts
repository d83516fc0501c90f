import type { InitOptions } from "i18next";
import { LANGUAGES } from "./languages.ts";

export const i18nOptions = {
  supportedLngs: LANGUAGES,
  // A missing translation fails a test; English never appears inside another language.
  fallbackLng: false,
  defaultNS: "common",
  // The defaults. Where they are not written, i18next asks of each key whether it is a sentence.
  nsSeparator: ":",
  keySeparator: ".",
  interpolation: { escapeValue: false },
  returnNull: false,
  // An instance has one language for good, so the screens listen to no change.
  react: { bindI18n: "", bindI18nStore: "" },
} satisfies InitOptions;
