import type { i18n as I18n } from "i18next";
import { renderToReadableStream } from "react-dom/server.node";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router";
import { DocumentProvider, type DocumentSettings } from "../../ui/layout/document.tsx";
import { TranslationProvider } from "../../ui/text/translation.tsx";
import { GroupFrame } from "./specimen-frame.tsx";
import { SPECIMEN_GROUPS } from "./specimens.server.tsx";

/** URLs of the style sheets. Linking them keeps a second copy out of the worker. */
const STYLE_SHEETS = import.meta.glob<string>("../../{ui,lists}/*.css", {
  eager: true,
  import: "default",
  query: "?url",
});

const SETTINGS: DocumentSettings = {
  theme: "system",
  titlePrefix: "",
  bar: null,
  isDemo: false,
  impersonation: null,
  version: "",
  translationFiles: {},
  hasStyles: false,
};

/**
 * Renders the primitives of `app/ui` and a list of `app/lists` in their states. Only the server renders it, so that no
 * code for browsers contains it. What needs JavaScript is drawn as it is before the scripts run; `LIVE_SPECIMENS` show it
 * after.
 */
export async function renderStyleGuide(i18n: I18n, url: URL): Promise<string> {
  const { query, dataRoutes } = createStaticHandler([{ path: "*", element: <StyleGuide /> }]);
  const context = await query(new Request(url));
  if (context instanceof Response) throw new Error("The style guide has no redirects");
  const stream = await renderToReadableStream(
    <TranslationProvider i18n={i18n}>
      <DocumentProvider settings={SETTINGS}>
        <StaticRouterProvider
          router={createStaticRouter(dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </DocumentProvider>
    </TranslationProvider>,
    { identifierPrefix: "guide" },
  );
  await stream.allReady;
  const html = await new Response(stream).text();
  // Error pages set the document's title.
  return html.replaceAll(/<title>.*?<\/title>/g, "");
}

function StyleGuide() {
  return (
    <>
      {Object.values(STYLE_SHEETS).map((url) => (
        <link key={url} rel="stylesheet" href={url} />
      ))}
      {SPECIMEN_GROUPS.map((group) => (
        <GroupFrame key={group.name} {...group} />
      ))}
    </>
  );
}
