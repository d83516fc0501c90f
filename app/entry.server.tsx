import { isbot } from "isbot";
import { renderToReadableStream } from "react-dom/server.node";
import { I18nextProvider } from "react-i18next";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { barColors } from "./features/environment/bar-colours.ts";
import { titlePrefix } from "./features/environment/title-prefix.ts";
import { shownBrand } from "./features/site-settings/brand/shown-brand.ts";
import { requestContext } from "./http/request-context.ts";
import { i18nFor } from "./i18n/i18n.server.ts";
import { translationFiles } from "./i18n/translation-files.server.ts";
import { languageContext } from "./middleware/locale.ts";
import { findImpersonation } from "./middleware/session.ts";
import { themeContext } from "./middleware/theme.ts";
import { describeError, log } from "./runtime/log.ts";
import { servicesContext } from "./runtime/services-context.ts";
import { DocumentProvider, type DocumentSettings } from "./ui/layout/document.tsx";

export const streamTimeout = 5_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (request.method === "HEAD") return new Response(null, { status, headers });

  const { nonce, id, now } = context.get(requestContext);
  const { config, publicSettings } = context.get(servicesContext);
  const language = context.get(languageContext);
  const { name, color } = config.environment;
  const settings: DocumentSettings = {
    theme: context.get(themeContext),
    titlePrefix: titlePrefix(config.environment),
    bar: name ? { name, ...barColors(color) } : null,
    brand: shownBrand((await publicSettings.current(now())).brand, language),
    isDemo: config.isDemo,
    impersonation: await findImpersonation(context),
    version: __BUILD__.version,
    translationFiles: translationFiles(language),
  };
  let isBroken = false;
  const body = await renderToReadableStream(
    <I18nextProvider i18n={i18nFor(language)}>
      <DocumentProvider settings={settings} nonce={nonce}>
        <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
      </DocumentProvider>
    </I18nextProvider>,
    {
      nonce,
      // React would move what stands in `Suspense` behind the page, where only scripts can show it.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      signal: AbortSignal.timeout(streamTimeout + 1_000),
      onError(error) {
        isBroken = true;
        log("error", "render.failed", { request: id, ...describeError(error) });
      },
    },
  );
  if (isbot(request.headers.get("user-agent"))) await body.allReady;
  return new Response(body, { status: isBroken ? 500 : status, headers });
}

/** Logs errors that loaders, actions and components throw; thrown responses are not errors. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted) return;
  // The router's own error for a request without a route, such as a POST to a route without an action.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  log("error", "request.failed", {
    request: (context as RouterContextProvider).get(requestContext).id,
    path: new URL(request.url).pathname,
    ...describeError(error),
  });
};
