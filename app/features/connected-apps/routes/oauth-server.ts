import { servicesContext } from "../../../runtime/services-context.ts";
import { providerMetadata } from "../metadata.ts";
import type { Route } from "./+types/oauth-server.ts";

/** Tells clients of OAuth where everything is. Source: RFC 8414. */
export function loader({ context }: Route.LoaderArgs) {
  const { baseUrl } = context.get(servicesContext).config;
  const headers = { "Cache-Control": "public, max-age=3600" };
  return Response.json(providerMetadata(baseUrl), { headers });
}
