import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { renderToReadableStream } from "react-dom/server.node";
import { I18nextProvider } from "react-i18next";
import { findLanguage } from "../http/language-detection.server.ts";
import { i18nFor } from "../i18n/i18n.server.ts";
import { directionOf, fontScaleOf } from "../i18n/languages.ts";
import stylesheet from "../styles/app.css?url";
import { LastResort, lastResortTitle } from "../ui/feedback/last-resort.tsx";
import { DATABASE_RETRY_SECONDS } from "../ui/feedback/retry-seconds.ts";
import { SetupPage } from "../ui/feedback/setup-page.tsx";

/** True for a request whose answer is shown as a page: a navigation, not a fetch of data. */
function wantsPage(request: Request): boolean {
  const accepted = request.headers.get("accept") ?? "";
  const { pathname } = new URL(request.url);
  return request.method === "GET" && accepted.includes("text/html") && !pathname.endsWith(".data");
}

/**
 * Replaces an empty or bare-text response to a page request by the page of last resort, in the reader's language: the
 * router's own when its error page fails, and a missing file's. Other responses stay as they are.
 */
export async function withLastResort(
  request: Request,
  requestId: string,
  response: Response,
): Promise<Response> {
  const { status, headers } = response;
  const isBare = headers.get("content-type")?.startsWith("text/plain") ?? true;
  const isFailure = status === 404 || status === 500 || status === 503;
  if (!isFailure || !isBare || !wantsPage(request)) return response;
  const title = (t: TFunction) => lastResortTitle(t, status);
  const body = await drawPage(request, title, <LastResort status={status} reference={requestId} />);
  const kept = new Headers(headers);
  kept.delete("Content-Length");
  kept.set("Content-Type", "text/html; charset=utf-8");
  if (status === 503) kept.set("Refresh", String(DATABASE_RETRY_SECONDS));
  return new Response(body, { status, headers: kept });
}

/**
 * Answers a request that the settings cannot serve: with a page that names each missing setting and
 * the commands that set them all, or with text. The problems name settings and fixes, never values.
 */
export async function tellProblems(request: Request, problems: string[]): Promise<Response> {
  const isPage = wantsPage(request);
  const title = (t: TFunction) => t("setup.title");
  const body = isPage
    ? await drawPage(request, title, <SetupPage problems={problems} />)
    : `Configuration is incomplete. ${problems.join("; ")}\n`;
  const type = isPage ? "text/html" : "text/plain";
  return new Response(body, {
    status: 503,
    headers: { "Content-Type": `${type}; charset=utf-8` },
  });
}

/** Draws a page without the router, in the reader's language. */
async function drawPage(request: Request, title: (t: TFunction) => string, content: ReactNode) {
  const language = await findLanguage(request);
  const i18n = i18nFor(language);
  return renderToReadableStream(
    <I18nextProvider i18n={i18n}>
      <html
        lang={language}
        dir={directionOf(language)}
        style={{ "--font-scale": fontScaleOf(language) }}
      >
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{title(i18n.t)}</title>
          <link rel="stylesheet" href={stylesheet} />
        </head>
        <body>{content}</body>
      </html>
    </I18nextProvider>,
  );
}
