import type { MiddlewareFunction, RouterContextProvider } from "react-router";
import { isTheme } from "remix-themes";
import type { CurrentSession } from "../features/auth/sessions/sessions.server.ts";
import { findCookie } from "../http/cookies.ts";
import { languageCookie } from "../http/language-cookie.server.ts";
import { isLanguage, LANGUAGE_COOKIE, LANGUAGE_PARAM, languageOfTag } from "../i18n/languages.ts";
import { languageContext } from "./locale.ts";
import { THEME_COOKIE, themeContext, themeCookie } from "./theme.ts";

/** True when the user's saved language or theme differs from the sign-in page's. */
export function keepsOtherPreferences(
  request: Request,
  context: Readonly<RouterContextProvider>,
  user: unknown,
): boolean {
  const { language, theme }: { language?: unknown; theme?: unknown } = Object(user);
  const hasOtherLanguage = isLanguage(language) && language !== context.get(languageContext);
  return (
    (hasOtherLanguage && !findCookie(request, LANGUAGE_COOKIE)) ||
    (isTheme(theme) && !findCookie(request, THEME_COOKIE))
  );
}

/** Applies the user's saved language and theme on a device that has chosen neither. */
export async function withOwnPreferences(
  { request, context, url }: Pick<Parameters<MiddlewareFunction>[0], "request" | "context" | "url">,
  { user, session }: CurrentSession,
  next: () => Promise<Response>,
): Promise<Response> {
  const cookies: string[] = [];
  // A language in the URL wins, and becomes this device's choice.
  const isAskedFor = languageOfTag(url.searchParams.get(LANGUAGE_PARAM) ?? "") !== undefined;
  if (!session.impersonatedBy) {
    if (isLanguage(user.language) && !isAskedFor && !findCookie(request, LANGUAGE_COOKIE)) {
      context.set(languageContext, user.language);
      cookies.push(await languageCookie.serialize(user.language));
    }
    if (isTheme(user.theme) && !findCookie(request, THEME_COOKIE)) {
      context.set(themeContext, user.theme);
      cookies.push(await themeCookie(user.theme));
    }
  }
  const response = await next();
  for (const cookie of cookies) response.headers.append("Set-Cookie", cookie);
  return response;
}
