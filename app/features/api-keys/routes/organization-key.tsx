import { href } from "react-router";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { requirePage, visitorOf } from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { loadFrame } from "../../organizations/organization-page.server.ts";
import { ApiKeyScreen } from "../api-key-screen.tsx";
import { findApiKey } from "../api-keys.server.ts";
import type { Route } from "./+types/organization-key.ts";
import { requireOwnership } from "./organization-keys.server.ts";

export const handle = { i18n: "api-keys" };

/** Shows a key of an organization to its owners, and the key's last calls. */
export async function loader(args: Route.LoaderArgs) {
  const { context, params, url } = args;
  const { db } = context.get(servicesContext);
  const { frame } = requirePage(await loadFrame(db, visitorOf(args)), url, params.slug);
  requireOwnership(frame);
  const { id, name, slug } = frame;
  const now = context.get(requestContext).now();
  const found = (await findApiKey(db, { organizationId: id }, params.key, now)) ?? notFound();
  return {
    ...found,
    now,
    above: name,
    list: href("/app/organizations/:slug/keys", { slug }),
    settings: href("/app/organizations/:slug/settings", { slug }),
  };
}

export default function OrganizationKeyScreen({ loaderData }: Route.ComponentProps) {
  return <ApiKeyScreen {...loaderData} isShared />;
}
