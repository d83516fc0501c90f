import { href } from "react-router";
import { createForUser } from "../../features/organizations/office/create-for-user.server.ts";
import { NewOrganization } from "../../features/organizations/office/input.ts";
import { NewOrganizationForm } from "../../features/organizations/office/new-organization-form.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { ListBreadcrumb } from "../../lists/table/list-breadcrumb.tsx";
import { requireActor, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../ui/layout/single-column.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/organization-new.ts";

export const handle = { i18n: "manager-organizations" };

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "organization", "create", { act: "form" });
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "organization", "create");
  const form = await parseForm(request, NewOrganization);
  if (!form.ok) return invalid(form.result);
  const { db } = context.get(servicesContext);
  const created = await createForUser(db, actor, form.value);
  if (!created.ok) return invalid(form.result, { [created.field]: [created.message] });
  return redirectWithToast(href("/manager/organizations/:id", { id: created.id }), {
    kind: "success",
    message: "manager-organizations:toast.created",
  });
}

export const clientAction = sendForm;

export default function OrganizationNewScreen({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation("manager-organizations");
  const common = useTranslation().t;
  return (
    <SingleColumn>
      <ScreenTitle>{t("new")}</ScreenTitle>
      <ScreenHeader
        title={t("new")}
        breadcrumb={<ListBreadcrumb to={href("/manager/organizations")} title={t("title")} />}
      />
      <NewOrganizationForm result={actionData}>
        <ButtonLink variant="secondary" to={href("/manager/organizations")}>
          {common("actions.cancel")}
        </ButtonLink>
      </NewOrganizationForm>
    </SingleColumn>
  );
}
