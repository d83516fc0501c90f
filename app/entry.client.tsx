import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { getInitialNamespaces } from "remix-i18next/client";
import { settleLanguage } from "./i18n/browser-language.ts";
import { createBrowserI18n } from "./i18n/i18n.client.ts";
import { DocumentProvider, type DocumentSettings } from "./ui/layout/document.tsx";
import { TranslationProvider } from "./ui/text/translation.tsx";

async function hydrate() {
  const { lang, dataset } = document.documentElement;
  if (settleLanguage(lang)) return;
  const settings: DocumentSettings = JSON.parse(dataset.settings ?? "{}");
  const i18n = await createBrowserI18n(lang, getInitialNamespaces(), settings.translationFiles);
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <TranslationProvider i18n={i18n}>
          <DocumentProvider settings={settings}>
            <HydratedRouter />
          </DocumentProvider>
        </TranslationProvider>
      </StrictMode>,
    );
  });
}

void hydrate();
