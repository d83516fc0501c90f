// The worker that a page's CPU is divided by: React Router draws the elements of our page from
// constants, after the same D1 statements. `bare-worker.ts` puts the pages in.
import { createElement, type ReactNode } from "react";
import { renderToReadableStream } from "react-dom/server.node";
import {
  createRequestHandler,
  type EntryContext,
  RouterContextProvider,
  Scripts,
  type ServerBuild,
  ServerRouter,
  useLoaderData,
} from "react-router";
import type { BareElement, BarePage } from "./bare-worker.ts";

declare const PAGES: Record<string, BarePage>;

let database: D1Database;

/** Runs the statements of the page, trip by trip. Returns the rows of the last one, as a screen's loader does. */
async function loader({ request }: { request: Request }) {
  const { pathname } = new URL(request.url);
  let rows: unknown[] = [];
  for (const trip of PAGES[pathname]?.trips ?? []) {
    const statements = trip.map(({ sql, values }) => database.prepare(sql).bind(...values));
    rows = (await database.batch(statements)).map(({ results }) => results);
  }
  return { pathname, rows };
}

function Page() {
  const page = PAGES[useLoaderData<typeof loader>().pathname];
  return page && draw(page.tree);
}

function draw([name, attributes, ...children]: BareElement): ReactNode {
  const drawn: ReactNode[] = children.map((child) =>
    typeof child === "string" ? child : draw(child),
  );
  // Sends the loader's data to the browser.
  if (name === "body") drawn.push(createElement(Scripts));
  return createElement(name, attributes, ...drawn);
}

async function handleDocument(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
) {
  const router = createElement(ServerRouter, { context, url: request.url });
  headers.set("Content-Type", "text/html; charset=utf-8");
  return new Response(await renderToReadableStream(router), { status, headers });
}

const ROUTE = { id: "root", path: "*" };

const build = {
  entry: { module: { default: handleDocument } },
  routes: { root: { ...ROUTE, module: { default: Page, loader } } },
  assets: {
    entry: { imports: [], module: "" },
    routes: {
      root: {
        ...ROUTE,
        hasAction: false,
        hasLoader: true,
        hasErrorBoundary: false,
        module: "",
        hasClientAction: false,
        hasClientLoader: false,
        hasClientMiddleware: false,
        clientActionModule: undefined,
        clientLoaderModule: undefined,
        clientMiddlewareModule: undefined,
        hydrateFallbackModule: undefined,
      },
    },
    url: "",
    version: "",
  },
  publicPath: "/",
  assetsBuildDirectory: "",
  ssr: true,
  isSpaMode: false,
  prerender: [],
  future: { v8_middleware: true },
  routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
} as unknown as ServerBuild;

const handle = createRequestHandler(build, "production");

export default {
  fetch(request: Request, env: { DB: D1Database }) {
    database = env.DB;
    if (new URL(request.url).pathname === "/hello") return new Response("hello");
    return handle(request, new RouterContextProvider());
  },
};
