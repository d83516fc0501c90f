import { createContext, type MiddlewareFunction } from "react-router";
import { serializeCookie } from "../http/cookies.ts";
import { detectLanguage } from "../i18n/i18n.server.ts";
import {
  DEFAULT_LANGUAGE,
  LANGUAGE_COOKIE,
  LANGUAGE_COOKIE_MAX_AGE_MINUTES,
  LANGUAGE_PARAM,
  type Language,
  languageOfTag,
} from "../i18n/languages.ts";

/** An address that no route matches (one with a line break in it) runs no middleware, and is answered in English. */
export const languageContext = createContext<Language>(DEFAULT_LANGUAGE);

/** Finds the reader's language, and remembers one that was asked for in the address. */
export const locale: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  context.set(languageContext, await detectLanguage(request));
  const response = await next();
  const chosen = languageOfTag(url.searchParams.get(LANGUAGE_PARAM) ?? "");
  if (chosen) response.headers.append("Set-Cookie", languageCookie(chosen));
  return response;
};

/** The `i18next` cookie with a chosen language, readable by the browser's own detection. */
export function languageCookie(language: Language): string {
  const maxAgeSeconds = LANGUAGE_COOKIE_MAX_AGE_MINUTES * 60;
  return serializeCookie(LANGUAGE_COOKIE, language, {
    isHttpOnly: false,
    maxAgeSeconds,
  });
}
