import {
  loadOrganizationList,
  readOrganizationFilters,
} from "../../features/organizations/office/organization-list.server.ts";
import { OrganizationList } from "../../features/organizations/office/organization-list.tsx";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { answerList, listHeaders } from "../list-answer.server.ts";
import type { Route } from "./+types/organizations.ts";

export const handle = { i18n: "manager-organizations" };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "organization", "read");
  const { db } = context.get(servicesContext);
  return answerList(context, url, {
    otherwise: { filters: readOrganizationFilters(url) },
    load: (now) => loadOrganizationList(db, url, now),
  });
}

export const headers = listHeaders;

export default function OrganizationsScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("manager-organizations");
  return (
    <div className="grid gap-6">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <h1 className="text-xl font-semibold">{t("title")}</h1>
      <OrganizationList {...loaderData} />
    </div>
  );
}
