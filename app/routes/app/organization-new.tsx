import { href } from "react-router";
import { NewOrganizationForm } from "../../features/organizations/input.ts";
import { createOrganization } from "../../features/organizations/settings/organization-commands.server.ts";
import { OrganizationForm } from "../../features/organizations/settings/organization-form.tsx";
import {
  proposeAnother,
  proposeSlug,
} from "../../features/organizations/settings/propose-slug.server.ts";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { ListBreadcrumb } from "../../lists/table/list-breadcrumb.tsx";
import { requireActor, requireOwner, requirePermission } from "../../middleware/current-user.ts";
import { requireTurn } from "../../middleware/turn.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { panelClass } from "../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../ui/layout/single-column.tsx";
import { messageReference } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/organization-new.ts";

export const handle = { i18n: "organizations" };

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "apps", "app");
  return null;
}

export async function action({ request, context }: Route.ActionArgs) {
  const { user, session } = requireOwner(context);
  const actor = requireActor(context, "apps", "app", { act: "own:create" });
  const form = await parseForm(request, NewOrganizationForm);
  if (!form.ok) return invalid(form.result);
  await requireTurn(context);
  const { db } = context.get(servicesContext);
  const { name, slug = await proposeSlug(name) } = form.value;
  const owner = { ownerId: user.id, sessionId: session.id };
  const created = await createOrganization(db, actor, { name, slug, ...owner });
  if (created.ok) {
    return redirectWithToast(href("/app/organizations/:slug", { slug: created.slug }), {
      kind: "success",
      message: "organizations:toast.created",
    });
  }
  if (created.code !== "ORGANIZATION_SLUG_ALREADY_TAKEN") {
    return invalid(form.result, { "": [`codes:${created.code}`] }, { status: 409 });
  }
  // Fills in another one, so that the next press of the button succeeds.
  const values = { ...form.result.values, slug: proposeAnother(slug) };
  const taken = messageReference("organizations:slugReplaced", { slug });
  return invalid({ ...form.result, values }, { slug: [taken] });
}

export const clientAction = sendForm;

export default function OrganizationNewScreen({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation("organizations");
  const common = useTranslation().t;
  return (
    <SingleColumn>
      <ScreenTitle>{t("new")}</ScreenTitle>
      <ScreenHeader
        title={t("new")}
        breadcrumb={<ListBreadcrumb to={href("/app/organizations")} title={t("title")} />}
      />
      <div className={panelClass}>
        <OrganizationForm
          key={actionData?.values.slug}
          values={actionData?.values ?? {}}
          result={actionData}
          submitLabel={t("create")}
        >
          <ButtonLink variant="secondary" to={href("/app/organizations")}>
            {common("actions.cancel")}
          </ButtonLink>
        </OrganizationForm>
      </div>
    </SingleColumn>
  );
}
