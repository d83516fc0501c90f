import type { Cookie } from "react-router";
import {
  LANGUAGE_COOKIE,
  LANGUAGE_COOKIE_MAX_AGE_MINUTES,
  type Language,
} from "../i18n/languages.ts";
import { readCookie, serializeCookie } from "./cookies.ts";

/**
 * The `i18next` cookie. Its value is plain, such as `fr`, because the browser's detection reads and writes it too;
 * React Router's `createCookie` would encode it.
 */
export const languageCookie = {
  name: LANGUAGE_COOKIE,
  isSigned: false,
  parse: async (header: string | null) => readCookie(header, LANGUAGE_COOKIE),
  serialize: async (language: Language) =>
    serializeCookie(LANGUAGE_COOKIE, language, {
      isHttpOnly: false,
      maxAgeSeconds: LANGUAGE_COOKIE_MAX_AGE_MINUTES * 60,
    }),
} satisfies Cookie;
