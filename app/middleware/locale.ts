import { createContext, type MiddlewareFunction } from "react-router";
import { languageCookie } from "../http/language-cookie.server.ts";
import { findLanguage } from "../http/language-detection.server.ts";
import {
  DEFAULT_LANGUAGE,
  LANGUAGE_PARAM,
  type Language,
  languageOfTag,
} from "../i18n/languages.ts";

/**
 * Language of the page. A URL that no route matches (one with a line break) runs no middleware and is answered in
 * English.
 */
export const languageContext = createContext<Language>(DEFAULT_LANGUAGE);

/** Sets the page's language to the one that remix-i18next has found, and saves one that the URL asks for. */
export const locale: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  context.set(languageContext, await findLanguage(request));
  const response = await next();
  const chosen = languageOfTag(url.searchParams.get(LANGUAGE_PARAM) ?? "");
  if (chosen) response.headers.append("Set-Cookie", await languageCookie.serialize(chosen));
  return response;
};
