import { href } from "react-router";
import { notFound } from "../../../http/responses.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { callScopesOf } from "../../connected-apps/call-scopes.server.ts";
import { RESOURCE_METADATA, RESOURCES } from "../mcp-paths.ts";
import type { Route } from "./+types/protected-resource.ts";

/** Tells agents where a token for the API is to be had, and what for. Source: RFC 9728. */
export function loader({ context, url }: Route.LoaderArgs) {
  const { config, features } = context.get(servicesContext);
  const path = RESOURCES.find((one) => url.pathname === RESOURCE_METADATA + one);
  if (path === undefined) return notFound();
  const { baseUrl } = config;
  return Response.json(
    {
      resource: baseUrl + path,
      authorization_servers: [baseUrl],
      scopes_supported: callScopesOf(features),
      bearer_methods_supported: ["header"],
      resource_documentation: baseUrl + href("/api/docs"),
    },
    { headers: { "Cache-Control": "public, max-age=3600" } },
  );
}
