import { href } from "react-router";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/passkey-endpoints.ts";

/**
 * Tells password managers where a passkey is added and removed. Source: W3C, A Well-Known URL for
 * Relying Party Passkey Endpoints.
 */
export function loader({ context }: Route.LoaderArgs) {
  const { baseUrl } = context.get(servicesContext).config;
  const security = `${baseUrl}${href("/app/account")}#security`;
  return Response.json(
    { enroll: security, manage: security },
    { headers: { "Cache-Control": "public, max-age=86400" } },
  );
}
