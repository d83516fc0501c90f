import { loadOwnOrganizations } from "../../features/organizations/invitations/invitation-queries.server.ts";
import { OwnOrganizations } from "../../features/organizations/own-organizations.tsx";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/organizations.ts";

export const handle = { i18n: "organizations" };

export function loader({ context }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "apps", "app");
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  return loadOwnOrganizations(db, { userId: user.id, email: user.email, now });
}

export default function OrganizationsScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("organizations");
  return (
    <>
      <ScreenTitle>{t("title")}</ScreenTitle>
      <OwnOrganizations {...loaderData} />
    </>
  );
}
