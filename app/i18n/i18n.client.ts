import { type BackendModule, createInstance, type i18n as I18n, type ResourceKey } from "i18next";
import { i18nOptions } from "./options.ts";

/**
 * The browser's translator for one language, ready with the namespaces of the screens that are about to be hydrated;
 * others are fetched from `files` when a screen first needs them. Throws when one cannot be had: the page then stays as
 * the server drew it, which works, where keys in place of sentences would not.
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
        callback(null, await fetchSentences(files[namespace]));
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
  if (missing.length > 0) throw new Error(`No sentences for ${missing.join(", ")}`);
  return instance;
}

async function fetchSentences(address: string | undefined): Promise<ResourceKey> {
  if (!address) throw new Error("No such sentences");
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response.json();
}
