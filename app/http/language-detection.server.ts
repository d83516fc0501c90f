import type { RouterContextProvider } from "react-router";
import { createI18nextMiddleware } from "remix-i18next/middleware";
import { type LanguageDetectorOption, RemixI18Next } from "remix-i18next/server";
import {
  DEFAULT_LANGUAGE,
  isLanguage,
  LANGUAGE_PARAM,
  LANGUAGES,
  type Language,
} from "../i18n/languages.ts";
import { i18nOptions } from "../i18n/options.ts";
import { languageCookie } from "./language-cookie.server.ts";

/** How remix-i18next detects the language from a request (spec section 4): query parameter, cookie, Accept-Language. */
const detection = {
  supportedLanguages: [...LANGUAGES],
  fallbackLanguage: DEFAULT_LANGUAGE,
  order: ["searchParams", "cookie", "custom"],
  searchParamKey: LANGUAGE_PARAM,
  cookie: languageCookie,
  // remix-i18next stops at the first language that Intl knows, even if the product does not have it, and prefers `en`
  // to `fr-CA` whatever their weights. Without the regions it sorts the languages correctly.
  findLocale: async (request) =>
    (request.headers.get("accept-language") ?? "").replace(/-[\da-z-]+/gi, ""),
} satisfies LanguageDetectorOption;

const [middleware, getLocale] = createI18nextMiddleware({ detection, i18next: i18nOptions });
const detector = new RemixI18Next({ detection });

/** Puts the request's language into its router context, for `languageOf`. */
export const detectLanguage = middleware;

/** Returns the language that `detectLanguage` has found. */
export function languageOf(context: Readonly<RouterContextProvider>): Language {
  return languageOrDefault(getLocale(context));
}

/** Returns the language of a request that is answered before any middleware. */
export async function findLanguage(request: Request): Promise<Language> {
  return languageOrDefault(await detector.getLocale(request));
}

function languageOrDefault(value: string): Language {
  return isLanguage(value) ? value : DEFAULT_LANGUAGE;
}
