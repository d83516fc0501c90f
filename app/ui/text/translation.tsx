import type { i18n as I18n, Namespace, TFunction } from "i18next";
import { use } from "react";
import { I18nContext, useTranslation as useI18next } from "react-i18next";
import { DEFAULT_LANGUAGE, isLanguage, type Language } from "../../i18n/languages.ts";
import type { MessageKey } from "../../i18n/message-key.ts";

/**
 * In the browser react-i18next fetches a namespace, and suspends until it is there. The server has loaded all of them,
 * and without the ten hooks inside of react-i18next's a list takes a third less CPU there.
 */
const useI18n: (namespace: Namespace) => { t: unknown; i18n: I18n } = import.meta.env.SSR
  ? (namespace) => {
      const { i18n } = use(I18nContext);
      return { t: i18n.getFixedT(null, namespace), i18n };
    }
  : useI18next;

/**
 * Returns the translations of one namespace in the reader's language. A namespace that is not
 * loaded suspends, so a navigation waits for it as it waits for data. Where react-i18next would
 * show keys because it could not be fetched, this throws, so that the error boundary shows an
 * error; a later render finds what has been fetched meanwhile.
 */
export function useTranslation<const N extends Namespace = "common">(
  namespace?: N,
): { t: TFunction<N>; i18n: I18n } {
  const name: Namespace = namespace ?? "common";
  const { t, i18n } = useI18n(name);
  if (!i18n.hasResourceBundle(i18n.language, String(name))) {
    loadTranslations(i18n, String(name)).catch(() => {});
    throw missing(String(name));
  }
  return { t: t as TFunction<N>, i18n };
}

/** Returns the text of a key with its namespace, such as a feature's label. The page has loaded the namespace. */
export function useText(): (key: MessageKey, values?: Record<string, string | number>) => string {
  const { t } = useTranslation();
  return t as unknown as ReturnType<typeof useText>;
}

/** Returns the reader's language, without any translations. */
export function useLanguage(): Language {
  const { language } = use(I18nContext).i18n;
  return isLanguage(language) ? language : DEFAULT_LANGUAGE;
}

/** Fetches a namespace before it is read. Throws when it cannot be fetched. */
export async function loadTranslations(i18n: I18n, namespace: string): Promise<void> {
  // Not `loadNamespaces`, which never retries a namespace that failed once.
  await i18n.reloadResources(i18n.language, namespace);
  if (!i18n.hasResourceBundle(i18n.language, namespace)) throw missing(namespace);
}

function missing(namespace: string): Error {
  return new Error(`The translations of "${namespace}" could not be loaded`);
}
