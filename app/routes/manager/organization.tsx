import { href } from "react-router";
import { can } from "../../features/access/permissions.ts";
import { restoreForm } from "../../features/organizations/members/member-commands.server.ts";
import { OrganizationChange } from "../../features/organizations/office/input.ts";
import {
  changeOrganization,
  ORGANIZATION_COMMANDS,
} from "../../features/organizations/office/organization-change.server.ts";
import { OrganizationDetail } from "../../features/organizations/office/organization-detail.tsx";
import { findOrganizationDetail } from "../../features/organizations/office/organization-page.server.ts";
import { findRepositoryByName } from "../../features/repositories/repositories.server.ts";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requirePermission } from "../../middleware/current-user.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
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
  const detail = await findOrganizationDetail(db, params.id, { now, mayReadEvents });
  return { ...(detail ?? notFound()), now };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requirePermission(context, "organization", "read");
  const { id } = params;
  const form = await parseForm(request, OrganizationChange);
  if (!form.ok) return invalid(form.result);
  const { intent } = form.value;
  const [resource, permitted] = ORGANIZATION_COMMANDS[intent].permission;
  const actor = requireActor(context, resource, permitted, { act: `organization:${intent}` });
  const { db } = context.get(servicesContext);
  const services = {
    ...mailServices(context),
    findRepositoryByName: (name: string) => findRepositoryByName(db, name),
  };
  const changed = await changeOrganization(services, actor, id, form.value);
  if (!changed.ok && changed.code === "ORGANIZATION_NOT_FOUND") notFound();
  if (!changed.ok && changed.field) {
    return invalid(form.result, { [changed.field]: [changed.message] });
  }
  const screen = href("/manager/organizations/:id", { id });
  if (changed.ok && form.value.intent === "remove-member") {
    const undo = restoreForm(screen, form.value.member);
    return redirectWithToast(screen, { kind: "success", message: changed.message, undo });
  }
  return redirectWithToast(screen, {
    kind: changed.ok ? "success" : "error",
    message: changed.message,
  });
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendForm(serverAction);
}

export default function OrganizationScreen({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <ScreenTitle>{loaderData.organization.name}</ScreenTitle>
      <FormErrors errors={actionData?.errors[""]} />
      <OrganizationDetail {...loaderData} result={actionData} />
    </>
  );
}
