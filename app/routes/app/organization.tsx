import { OrganizationFrame } from "../../features/organizations/organization-frame.tsx";
import { InvitationNotice } from "../../features/organizations/organization-notices.tsx";
import { OrganizationOverview } from "../../features/organizations/organization-overview.tsx";
import { loadOverview } from "../../features/organizations/organization-page.server.ts";
import { requirePage, visitorOf } from "../../middleware/organization-call.server.ts";
import { getShell } from "../../middleware/shell.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/organization.ts";

export const handle = { i18n: ["organizations", "events", "app"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const [loaded, { invitations }] = await Promise.all([
    loadOverview(db, visitor),
    getShell(context),
  ]);
  const page = requirePage(loaded, url, params.slug);
  const offer = invitations.find(
    ({ isOffer, organizationId }) => isOffer && organizationId === page.frame.id,
  );
  return { ...page, offer, now: visitor.now };
}

export default function OrganizationScreen({ loaderData }: Route.ComponentProps) {
  return (
    <OrganizationFrame frame={loaderData.frame} part="overview">
      {loaderData.offer && <InvitationNotice invitation={loaderData.offer} />}
      <OrganizationOverview {...loaderData} />
    </OrganizationFrame>
  );
}
