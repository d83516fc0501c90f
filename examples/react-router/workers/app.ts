import { createRequestHandler, RouterContextProvider } from "react-router";
import type { Identity } from "../../worker/gatehouse.d.ts";
import { askedContext, gatehouseContext } from "../app/contexts.ts";

type Env = { GATEHOUSE: Identity };

const handleRequest = createRequestHandler(
  () => import("virtual:react-router/server-build"),
  import.meta.env.MODE,
);

export default {
  async fetch(request, env): Promise<Response> {
    // Not the request itself: its body would go along, and an action could not read it.
    const who = { url: pageOf(request.url), headers: request.headers };
    const asked = await env.GATEHOUSE.session(who);
    const context = new RouterContextProvider();
    context.set(askedContext, asked);
    context.set(gatehouseContext, env.GATEHOUSE);
    const response = await handleRequest(request, context);
    if (!asked.setCookie) return response;
    // The product extends a session that is in use, and the browser must know it.
    const extended = new Response(response.body, response);
    extended.headers.append("Set-Cookie", asked.setCookie);
    return extended;
  },
} satisfies ExportedHandler<Env>;

/** Returns the page of a request, which React Router may ask for as data. The sign-in leads back there. */
function pageOf(requested: string): string {
  const url = new URL(requested);
  url.pathname = url.pathname.replace(/(\/_)?\.data$/, "");
  url.searchParams.delete("_routes");
  return url.href;
}
