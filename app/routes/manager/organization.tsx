import { findOrganizationDetail } from "../../features/organizations/office/organization-detail.server.ts";
import { OrganizationDetail } from "../../features/organizations/office/organization-detail.tsx";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import type { Route } from "./+types/organization.ts";

export const handle = { i18n: ["manager-organizations", "events"] };

export async function loader({ context, params }: Route.LoaderArgs) {
  requirePermission(context, "organization", "read");
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  return { ...((await findOrganizationDetail(db, params.id, now)) ?? notFound()), now };
}

export default function OrganizationScreen({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <ScreenTitle>{loaderData.organization.name}</ScreenTitle>
      <OrganizationDetail {...loaderData} />
    </>
  );
}
