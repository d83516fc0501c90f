import type { InitOptions } from "i18next";
import { LANGUAGES } from "./languages.ts";

/** What the server's and the browser's i18next have in common. */
export const i18nOptions = {
  supportedLngs: LANGUAGES,
  // A missing sentence is a failing test, never English in the middle of another language.
  fallbackLng: false,
  defaultNS: "common",
  interpolation: { escapeValue: false },
  returnNull: false,
} satisfies InitOptions;
