import { type BackendModule, createInstance, type i18n as I18n, type ResourceKey } from "i18next";
import { i18nOptions } from "./options.ts";

/**
 * Returns the browser's i18n instance for one language, with the namespaces of the screens that are about to be
 * hydrated. It fetches others from `files` when a screen first needs them. Throws when a namespace cannot be fetched:
 * the page then stays as the server drew it, which works, instead of showing keys.
 */
export async function createBrowserI18n(
  language: string,
  namespaces: string[],
  files: Record<string, string>,
): Promise<I18n> {
  const backend: BackendModule = {
    type: "backend",
    init() {},
    async read(_language, namespace, callback) {
      try {
        callback(null, await fetchTranslations(files[namespace]));
      } catch (error) {
        callback(error instanceof Error ? error : new Error(String(error)), false);
      }
    },
  };
  const instance = createInstance();
  await instance.use(backend).init({
    ...i18nOptions,
    lng: language,
    ns: ["common", ...namespaces],
    partialBundledLanguages: true,
  });
  const missing = ["common", ...namespaces].filter(
    (name) => !instance.hasResourceBundle(language, name),
  );
  if (missing.length > 0) throw new Error(`No translations for ${missing.join(", ")}`);
  return instance;
}

async function fetchTranslations(url: string | undefined): Promise<ResourceKey> {
  if (!url) throw new Error("No such translations");
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}
