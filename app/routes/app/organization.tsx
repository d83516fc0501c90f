import { roleMayDo } from "../../features/access/organization-permissions.ts";
import { OrganizationFrame } from "../../features/organizations/organization-frame.tsx";
import { InvitationNotice } from "../../features/organizations/organization-notices.tsx";
import { OrganizationOverview } from "../../features/organizations/organization-overview.tsx";
import { loadOverview, ownId } from "../../features/organizations/organization-page.server.ts";
import { FeaturePanels } from "../../features.ui.tsx";
import { requirePage, visitorOf } from "../../middleware/organization-call.server.ts";
import { openPanels } from "../../middleware/panels.server.ts";
import { getShell } from "../../middleware/shell.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/organization.ts";

export const handle = { i18n: ["organizations", "events", "app"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const panels = openPanels(context, "organizationOverview", ownId(visitor));
  const [loaded, { invitations }] = await Promise.all([
    loadOverview(db, visitor, panels.statements),
    getShell(context),
  ]);
  const { panelRows, ...page } = requirePage(loaded, url, params.slug);
  const offer = invitations.find(
    ({ isOffer, organizationId }) => isOffer && organizationId === page.frame.id,
  );
  return {
    ...page,
    panels: panels.results(panelRows, (needs) => roleMayDo(page.frame.role, needs)),
    offer,
    now: visitor.now,
  };
}

export default function OrganizationScreen({ loaderData }: Route.ComponentProps) {
  return (
    <OrganizationFrame frame={loaderData.frame} part="overview">
      {loaderData.offer && <InvitationNotice invitation={loaderData.offer} />}
      <OrganizationOverview {...loaderData}>
        <FeaturePanels<"organizationOverview">
          subject={loaderData.frame}
          panels={loaderData.panels}
          now={loaderData.now}
        />
      </OrganizationOverview>
    </OrganizationFrame>
  );
}
