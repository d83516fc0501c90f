import { createContext, type MiddlewareFunction } from "react-router";
import { languageCookie } from "../http/language-cookie.server.ts";
import { languageOf } from "../http/language-detection.server.ts";
import {
  DEFAULT_LANGUAGE,
  LANGUAGE_PARAM,
  type Language,
  languageOfTag,
} from "../i18n/languages.ts";

/** The page's language. A URL that no route matches (one with a line break) runs no middleware: English answers it. */
export const languageContext = createContext<Language>(DEFAULT_LANGUAGE);

/** Keeps the language that remix-i18next has found for the page, and remembers one that the URL asks for. */
export const locale: MiddlewareFunction<Response> = async ({ context, url }, next) => {
  context.set(languageContext, languageOf(context));
  const response = await next();
  const chosen = languageOfTag(url.searchParams.get(LANGUAGE_PARAM) ?? "");
  if (chosen) response.headers.append("Set-Cookie", await languageCookie.serialize(chosen));
  return response;
};
