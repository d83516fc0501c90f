import type { i18n as I18n, Namespace, TFunction } from "i18next";
import { createContext, type ReactNode, use } from "react";

const TranslationContext = createContext<I18n | undefined>(undefined);

/** Gives the screens below their translator. */
export function TranslationProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  return <TranslationContext value={i18n}>{children}</TranslationContext>;
}

/**
 * The sentences of one namespace in the reader's language. A namespace that has not been fetched yet suspends: a
 * navigation then waits for it as it waits for data.
 */
export function useTranslation<const N extends Namespace = "common">(
  namespace?: N,
): { t: TFunction<N>; i18n: I18n } {
  const i18n = use(TranslationContext);
  if (!i18n) throw new Error("useTranslation needs a TranslationProvider around it");
  const name = namespace ?? "common";
  const pending = findLoading(i18n, String(name));
  if (pending) use(pending);
  return { t: i18n.getFixedT(null, name) as TFunction<N>, i18n };
}

const loading = new Map<string, Promise<void>>();

/**
 * What to wait for before a namespace can be read; nothing when it came with the page. The same promise every time:
 * React goes on where it waited only if it meets that one again.
 */
function findLoading(i18n: I18n, namespace: string): Promise<void> | undefined {
  const known = loading.get(namespace);
  if (known || i18n.hasResourceBundle(i18n.language, namespace)) return known;
  const started = loadSentences(i18n, namespace);
  loading.set(namespace, started);
  return started;
}

const ASK_AGAIN_AFTER_MS = 3_000;

/**
 * Fetches a namespace ahead of what reads it. Throws when it cannot be had: the error boundary says so, where keys would
 * be shown instead.
 */
export async function loadSentences(i18n: I18n, namespace: string): Promise<void> {
  // Not `loadNamespaces`, which never asks again for what it failed to get once.
  await i18n.reloadResources(i18n.language, namespace);
  if (i18n.hasResourceBundle(i18n.language, namespace)) return;
  // Not at once: whoever waits for it has to meet this failure again, or React would wait for another try, and another.
  setTimeout(() => loading.delete(namespace), ASK_AGAIN_AFTER_MS);
  throw new Error(`The sentences of "${namespace}" could not be loaded`);
}
