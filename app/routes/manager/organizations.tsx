import { href } from "react-router";
import { useCan } from "../../features/access/use-can.tsx";
import {
  organizations,
  readOrganizationFilters,
} from "../../features/organizations/office/organization-list.server.ts";
import { OrganizationList } from "../../features/organizations/office/organization-list.tsx";
import { answerList } from "../../lists/query/list-answer.server.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { NewLink } from "../../ui/layout/new-link.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/organizations.ts";

export const handle = { i18n: "manager-organizations" };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "organization", "read");
  const { db } = context.get(servicesContext);
  return answerList(context, url, {
    otherwise: { filters: readOrganizationFilters(url) },
    load: (reader) => organizations.load(db, url, reader),
  });
}

export default function OrganizationsScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("manager-organizations");
  const can = useCan();
  return (
    <div className="grid gap-4">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <ScreenHeader title={t("title")}>
        {can("organization", "create") && (
          <NewLink to={href("/manager/organizations/new")}>{t("new")}</NewLink>
        )}
      </ScreenHeader>
      <OrganizationList
        {...loaderData}
        emptyAction={
          can("organization", "create") && (
            <ButtonLink to={href("/manager/organizations/new")} isSmall>
              {t("emptyManager")}
            </ButtonLink>
          )
        }
      />
    </div>
  );
}
