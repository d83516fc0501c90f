import { createInstance, type i18n as I18n } from "i18next";
import { RemixI18Next } from "remix-i18next/server";
import { findCookie } from "../http/cookies.ts";
import {
  DEFAULT_LANGUAGE,
  isLanguage,
  LANGUAGE_COOKIE,
  LANGUAGE_PARAM,
  LANGUAGES,
  type Language,
} from "./languages.ts";
import { i18nOptions } from "./options.ts";
import { resources } from "./resources.server.ts";

const detector = new RemixI18Next({
  detection: {
    supportedLanguages: [...LANGUAGES],
    fallbackLanguage: DEFAULT_LANGUAGE,
    order: ["searchParams", "custom"],
    searchParamKey: LANGUAGE_PARAM,
    // The cookie is a plain value that the browser reads too, not one of React Router's encoded cookies. The detector's
    // own reading of the header stops at the first language that Intl knows, though the product may not speak it.
    findLocale: async (request) => [
      findCookie(request, LANGUAGE_COOKIE) ?? "",
      ...acceptedLanguages(request.headers.get("accept-language") ?? ""),
    ],
  },
});

/** The languages of an Accept-Language header without their regions, most wanted first (RFC 9110, section 12.5.4). */
function acceptedLanguages(header: string): string[] {
  return header
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((piece) => piece.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return { language: tag.split("-")[0] ?? "", weight: weight ? Number(weight.slice(2)) : 1 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ language }) => language);
}

/** The reader's language as far as a request tells: query parameter, cookie, Accept-Language (spec section 4). */
export async function detectLanguage(request: Request): Promise<Language> {
  const detected = await detector.getLocale(request);
  return isLanguage(detected) ? detected : DEFAULT_LANGUAGE;
}

const instances = new Map<Language, I18n>();

/** The translator of one language. It never changes, so one serves every request of the isolate. */
export function i18nFor(language: Language): I18n {
  const existing = instances.get(language);
  if (existing) return existing;
  const instance = createInstance({ ...i18nOptions, lng: language, resources, initAsync: false });
  void instance.init();
  instances.set(language, instance);
  return instance;
}
