import { servicesContext } from "../../../runtime/services-context.ts";
import { callScopesOf } from "../call-scopes.server.ts";
import { providerMetadata } from "../metadata.ts";
import type { Route } from "./+types/oauth-server.ts";

/** Tells clients of OAuth where everything is. Source: RFC 8414. */
export function loader({ context }: Route.LoaderArgs) {
  const { config, features } = context.get(servicesContext);
  const headers = { "Cache-Control": "public, max-age=3600" };
  return Response.json(providerMetadata(config.baseUrl, callScopesOf(features)), { headers });
}
