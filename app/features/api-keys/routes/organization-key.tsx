import { href } from "react-router";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { requirePage, visitorOf } from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { loadFrame, ownId } from "../../organizations/organization-page.server.ts";
import { ApiKeyScreen } from "../api-key-screen.tsx";
import { selectApiKey } from "../api-keys.server.ts";
import type { Route } from "./+types/organization-key.ts";
import { requireOwnership } from "./organization-keys.server.ts";

export const handle = { i18n: ["api-keys", "scopes"] };

/** Shows a key of an organization to its owners, and the key's last calls. */
export async function loader(args: Route.LoaderArgs) {
  const { context, params, url } = args;
  const { db } = context.get(servicesContext);
  const visitor = visitorOf(args);
  const now = context.get(requestContext).now();
  const statements = selectApiKey(db, { organizationId: ownId(visitor) }, params.key, now);
  const page = await loadFrame(db, visitor, statements);
  const { frame, rows } = requirePage(page, url, params.slug);
  requireOwnership(frame);
  const [[shown = notFound()], calls, days] = rows;
  const { name, slug } = frame;
  return {
    shown,
    calls,
    days,
    now,
    above: name,
    list: href("/app/organizations/:slug/keys", { slug }),
    settings: href("/app/organizations/:slug/settings", { slug }),
  };
}

export default function OrganizationKeyScreen({ loaderData }: Route.ComponentProps) {
  return <ApiKeyScreen {...loaderData} isShared />;
}
