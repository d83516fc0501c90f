import { href } from "react-router";
import { createForUser } from "../../features/organizations/office/create-for-user.server.ts";
import { OrganizationForUser } from "../../features/organizations/office/input.ts";
import { NewOrganizationForm } from "../../features/organizations/office/new-organization-form.tsx";
import { sendForm } from "../../http/lost-network.ts";
import { saveNew } from "../../http/save-record.server.ts";
import { NewRecord } from "../../lists/table/new-record.tsx";
import { requireActor, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/organization-new.ts";

export const handle = { i18n: "manager-organizations" };

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "organization", "create", { isProofLater: true });
  return null;
}

export function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "organization", "create");
  const { db } = context.get(servicesContext);
  return saveNew(request, OrganizationForUser, async (input) => {
    const created = await createForUser(db, actor, input);
    if (!created.ok) return { errors: { [created.field]: [created.message] } };
    return { to: href("/manager/organizations/:id", { id: created.id }) };
  });
}

export const clientAction = sendForm;

export default function OrganizationNewScreen({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation("manager-organizations");
  return (
    <NewRecord
      title={t("new")}
      list={{ to: href("/manager/organizations"), title: t("title") }}
      form={(cancel) => <NewOrganizationForm result={actionData}>{cancel}</NewOrganizationForm>}
    />
  );
}
