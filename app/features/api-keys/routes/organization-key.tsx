import { href } from "react-router";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { requirePage, visitorOf } from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { loadFrame, ownId } from "../../organizations/organization-page.server.ts";
import { ApiKeyScreen } from "../api-key-screen.tsx";
import { findApiKey } from "../api-keys.server.ts";
import type { Route } from "./+types/organization-key.ts";
import { requireOwnership } from "./organization-keys.server.ts";

export const handle = { i18n: "api-keys" };

/** Shows a key of an organization to its owners, and the key's last calls. */
export async function loader(args: Route.LoaderArgs) {
  const { context, params, url } = args;
  const { db } = context.get(servicesContext);
  const visitor = visitorOf(args);
  const now = context.get(requestContext).now();
  // Beside each other: only a member's organization has an id here, and only its owner is answered.
  const [page, key] = await Promise.all([
    loadFrame(db, visitor),
    findApiKey(db, { organizationId: ownId(visitor) }, params.key, now),
  ]);
  const { frame } = requirePage(page, url, params.slug);
  requireOwnership(frame);
  const found = key ?? notFound();
  const { name, slug } = frame;
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
