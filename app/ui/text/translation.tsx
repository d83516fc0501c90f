import type { i18n as I18n, Namespace, TFunction } from "i18next";
import { createContext, type ReactNode, use } from "react";
import { keepTexts, type LookUp } from "./kept-texts.ts";

const TranslationContext = createContext<I18n | undefined>(undefined);

/** Provides the i18n instance to the screens below. */
export function TranslationProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  return <TranslationContext value={i18n}>{children}</TranslationContext>;
}

/**
 * Returns the translations of one namespace in the reader's language. A namespace that is not loaded suspends, so a
 * navigation waits for it as it waits for data.
 */
export function useTranslation<const N extends Namespace = "common">(
  namespace?: N,
): { t: TFunction<N>; i18n: I18n } {
  const i18n = use(TranslationContext);
  if (!i18n) throw new Error("useTranslation needs a TranslationProvider around it");
  const name = namespace ?? "common";
  const pending = findLoading(i18n, String(name));
  if (pending) use(pending);
  return { t: textsOf(i18n, name) as unknown as TFunction<N>, i18n };
}

/** By instance and namespace. An instance has one language for good. */
const keptTexts = new WeakMap<I18n, Map<Namespace, LookUp>>();

function textsOf(i18n: I18n, namespace: Namespace): LookUp {
  const ofInstance = keptTexts.get(i18n) ?? new Map<Namespace, LookUp>();
  keptTexts.set(i18n, ofInstance);
  const texts = ofInstance.get(namespace) ?? keepTexts(i18n.getFixedT(null, namespace) as LookUp);
  ofInstance.set(namespace, texts);
  return texts;
}

const loading = new Map<string, Promise<void>>();

/**
 * Returns the promise of a namespace that is loading; undefined when it is loaded. It returns the same promise each
 * time, because React resumes only on the promise it waited for.
 */
function findLoading(i18n: I18n, namespace: string): Promise<void> | undefined {
  const known = loading.get(namespace);
  if (known || i18n.hasResourceBundle(i18n.language, namespace)) return known;
  const started = loadTranslations(i18n, namespace);
  loading.set(namespace, started);
  return started;
}

const ASK_AGAIN_AFTER_MS = 3_000;

/**
 * Fetches a namespace before it is read. Throws when it cannot be fetched, so that the error boundary shows an error
 * instead of keys.
 */
export async function loadTranslations(i18n: I18n, namespace: string): Promise<void> {
  // Not `loadNamespaces`, which never retries a namespace that failed once.
  await i18n.reloadResources(i18n.language, namespace);
  if (i18n.hasResourceBundle(i18n.language, namespace)) return;
  // Keeps the rejected promise for a while: React reads it again, and a new promise would suspend again.
  setTimeout(() => loading.delete(namespace), ASK_AGAIN_AFTER_MS);
  throw new Error(`The translations of "${namespace}" could not be loaded`);
}
