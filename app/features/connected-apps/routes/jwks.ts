import { requestContext } from "../../../http/request-context.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { keySetOf, selectKeys } from "../signing-keys.server.ts";
import type { Route } from "./+types/jwks.ts";

/** Answers the public keys of what apps are told. Source: RFC 7517. */
export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const { now } = context.get(requestContext);
  const keys = await selectKeys(db, now());
  const headers = { "Cache-Control": "public, max-age=300" };
  return Response.json(keySetOf(keys), { headers });
}
