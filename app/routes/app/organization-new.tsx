import { href } from "react-router";
import { OWN_ACTS } from "../../features/organizations/acts.ts";
import { NewOrganizationForm } from "../../features/organizations/input.ts";
import { createOrganization } from "../../features/organizations/settings/organization-commands.server.ts";
import { OrganizationForm } from "../../features/organizations/settings/organization-form.tsx";
import {
  proposeAnother,
  proposeSlug,
} from "../../features/organizations/settings/propose-slug.server.ts";
import { sendForm } from "../../http/lost-network.ts";

import { type Saved, saveNew } from "../../http/save-record.server.ts";
import { NewRecord } from "../../lists/table/new-record.tsx";
import { requireAct, requireOwner, requirePermission } from "../../middleware/current-user.ts";

import { requireTurn } from "../../middleware/turn.server.ts";

import { servicesContext } from "../../runtime/services-context.ts";
import { panelClass } from "../../ui/layout/panel.tsx";
import { messageReference } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/organization-new.ts";

export const handle = { i18n: "organizations" };

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "apps", "app");
  return null;
}

export function action({ request, context }: Route.ActionArgs) {
  const { user, session } = requireOwner(context);
  const actor = requireAct(context, OWN_ACTS.create);
  return saveNew(request, NewOrganizationForm, async (input): Promise<Saved> => {
    await requireTurn(context);
    const { db } = context.get(servicesContext);
    const { name, slug = await proposeSlug(name) } = input;
    const owner = { ownerId: user.id, sessionId: session.id };
    const created = await createOrganization(db, actor, { name, slug, ...owner });
    if (created.ok) return { to: href("/app/organizations/:slug", { slug: created.slug }) };
    if (created.code !== "ORGANIZATION_SLUG_ALREADY_TAKEN")
      return { errors: { "": [`codes:${created.code}`] }, status: 409 };
    // Fills in another one, so that the next press of the button succeeds.
    const values = { slug: proposeAnother(slug) };
    return { errors: { slug: [messageReference("organizations:slugReplaced", { slug })] }, values };
  });
}

export const clientAction = sendForm;

export default function OrganizationNewScreen({ actionData }: Route.ComponentProps) {
  const { t } = useTranslation("organizations");
  return (
    <NewRecord
      title={t("new")}
      list={{ to: href("/app/organizations"), title: t("title") }}
      form={(cancel) => (
        <div className={panelClass}>
          <OrganizationForm
            key={actionData?.values.slug}
            values={actionData?.values ?? {}}
            result={actionData}
            submitLabel={t("create")}
          >
            {cancel}
          </OrganizationForm>
        </div>
      )}
    />
  );
}
