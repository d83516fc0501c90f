import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { HydratedRouter } from "react-router/dom";
import { getInitialNamespaces } from "remix-i18next/client";
import { settleLanguage } from "./i18n/browser-language.ts";
import { createBrowserI18n } from "./i18n/i18n.client.ts";
import { DocumentProvider, type DocumentSettings } from "./ui/layout/document.tsx";

async function hydrate() {
  const { lang, dataset } = document.documentElement;
  if (settleLanguage(lang)) return;
  const settings: DocumentSettings = JSON.parse(dataset.settings ?? "{}");
  const i18n = await createBrowserI18n(lang, getInitialNamespaces(), settings.translationFiles);
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <I18nextProvider i18n={i18n}>
          <DocumentProvider settings={settings}>
            <HydratedRouter />
          </DocumentProvider>
        </I18nextProvider>
      </StrictMode>,
    );
  });
}

void hydrate();
