import { OrganizationFrame } from "../../features/organizations/organization-frame.tsx";
import { OrganizationOverview } from "../../features/organizations/organization-overview.tsx";
import { loadOverview } from "../../features/organizations/organization-page.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/organization.ts";
import { requirePage, visitorOf } from "./organization-call.server.ts";

export const handle = { i18n: ["organizations", "events"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const page = requirePage(await loadOverview(db, visitor), url, params.slug);
  return { ...page, now: visitor.now };
}

export default function OrganizationScreen({ loaderData }: Route.ComponentProps) {
  return (
    <OrganizationFrame frame={loaderData.frame} part="overview">
      <OrganizationOverview {...loaderData} />
    </OrganizationFrame>
  );
}
