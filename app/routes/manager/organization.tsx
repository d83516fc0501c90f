import { href } from "react-router";
import { can, mayDo } from "../../features/access/permissions.ts";
import { useCan } from "../../features/access/use-can.tsx";
import {
  changeOrganization,
  organizationForms,
} from "../../features/organizations/office/organization-change.server.ts";
import { OrganizationDetail } from "../../features/organizations/office/organization-detail.tsx";
import { findOrganizationDetail } from "../../features/organizations/office/organization-page.server.ts";
import { FeaturePanels } from "../../features.ui.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireAct, requirePermission } from "../../middleware/current-user.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
import { openPanels } from "../../middleware/panels.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { FormErrors } from "../../ui/forms/form-errors.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import type { Route } from "./+types/organization.ts";

export const handle = { i18n: ["manager-organizations", "events", "logs"] };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "organization", "read");
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const mayReadEvents = can(user, "audit", "read");
  const below = openPanels(context, "officeOrganization", params.id);
  const aside = openPanels(context, "officeAside", params.id);
  const panels = [...below.statements, ...aside.statements];
  const detail = await findOrganizationDetail(db, params.id, { now, mayReadEvents, panels });
  const { panelRows, ...shown } = detail ?? notFound();
  const maySee = (needs: readonly [string, string]) => mayDo(user, needs);
  return {
    ...shown,
    panels: below.results(panelRows, maySee),
    asidePanels: aside.results(panelRows.slice(below.statements.length), maySee),
    now,
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requirePermission(context, "organization", "read");
  const { id } = params;
  const { officeForms } = context.get(servicesContext).features;
  const form = await parseForm(request, organizationForms(officeForms));
  if (!form.ok) return invalid(form.result);
  const change = form.value;
  const actor = requireAct(context, change.act);
  const changed = await changeOrganization(mailServices(context), actor, id, change);
  if (!changed.ok && changed.code === "ORGANIZATION_NOT_FOUND") notFound();
  if (!changed.ok && changed.field) {
    return invalid(form.result, { [changed.field]: [changed.message] });
  }
  const screen = href("/manager/organizations/:id", { id });
  const { message } = changed;
  return redirectWithToast(
    screen,
    changed.ok
      ? { kind: "success", message, undo: change.undo(screen) }
      : { kind: "error", message },
  );
}

export const clientAction = sendForm;

export default function OrganizationScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { id, name, state } = loaderData.organization;
  // Nothing in a disabled organization can change, and nothing in one that is being deleted.
  const mayChange = useCan()("organization", "update") && state === "active";
  const subject = { id, name, mayChange, result: actionData };
  return (
    <>
      <ScreenTitle>{loaderData.organization.name}</ScreenTitle>
      <FormErrors errors={actionData?.errors[""]} />
      <OrganizationDetail
        {...loaderData}
        panels={
          <FeaturePanels<"officeOrganization">
            subject={subject}
            panels={loaderData.panels}
            now={loaderData.now}
          />
        }
        aside={
          <FeaturePanels<"officeAside">
            subject={subject}
            panels={loaderData.asidePanels}
            now={loaderData.now}
          />
        }
        result={actionData}
      />
    </>
  );
}
