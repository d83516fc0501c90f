import { type LanguageDetectorOption, RemixI18Next } from "remix-i18next/server";
import {
  DEFAULT_LANGUAGE,
  isLanguage,
  LANGUAGE_PARAM,
  LANGUAGES,
  type Language,
} from "../i18n/languages.ts";
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

// Not the package's middleware, which makes an i18n instance for each request; `i18nFor` keeps one for each language.
const detector = new RemixI18Next({ detection });

export async function findLanguage(request: Request): Promise<Language> {
  const found = await detector.getLocale(request);
  return isLanguage(found) ? found : DEFAULT_LANGUAGE;
}
