import { href } from "react-router";
import { roleMayDo } from "../../features/access/organization-permissions.ts";
import { OWN_ACTS } from "../../features/organizations/acts.ts";
import { SettingsForm } from "../../features/organizations/input.ts";
import { leaveOrganization } from "../../features/organizations/members/member-commands.server.ts";
import { OrganizationFrame } from "../../features/organizations/organization-frame.tsx";
import {
  loadFrame,
  loadFrameForChange,
  ownId,
} from "../../features/organizations/organization-page.server.ts";
import { updateOrganization } from "../../features/organizations/settings/organization-commands.server.ts";
import {
  restoreOrganization,
  startOrganizationDeletion,
} from "../../features/organizations/settings/organization-deletion.server.ts";
import {
  OrganizationSettings,
  type TheirProfile,
} from "../../features/organizations/settings/organization-settings.tsx";
import { FeaturePanels } from "../../features.ui.tsx";
import { conflict, invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireOwner } from "../../middleware/current-user.ts";
import { mailServices } from "../../middleware/mail-services.server.ts";
import {
  answerChange,
  callOf,
  refuseForm,
  requirePage,
  visitorOf,
} from "../../middleware/organization-call.server.ts";
import { openPanels } from "../../middleware/panels.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/organization-settings.ts";

export const handle = { i18n: "organizations" };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db, avatars } = context.get(servicesContext);
  const panels = openPanels(context, "organizationSettings", ownId(visitor));
  const loaded = await loadFrame(db, visitor, panels.statements);
  const { frame, rows } = requirePage(loaded, url, params.slug);
  return {
    frame,
    panels: panels.results(rows, (needs) => roleMayDo(frame.role, needs)),
    hasLogos: avatars !== undefined,
    now: visitor.now,
  };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  // An impersonation is closed before a proof is asked for.
  requireOwner(context);
  const form = await parseForm(request, SettingsForm);
  if (!form.ok) return invalid(form.result);
  const call = await callOf({ context, params }, OWN_ACTS[form.value.intent]);
  const { value, result } = form;
  switch (value.intent) {
    case "save": {
      const saved = await updateOrganization(call, value);
      if (!saved.ok && saved.code === "CONFLICT") {
        const { frame } = requirePage(
          await loadFrameForChange(call.db, visitorOf({ context, params })),
          url,
          params.slug,
        );
        return conflict(result, { name: frame.name, slug: frame.slug, version: frame.version });
      }
      if (!saved.ok) {
        const isAboutSlug = ["ORGANIZATION_SLUG_ALREADY_TAKEN", "TOO_MANY_REQUESTS"];
        return refuseForm(saved, result, isAboutSlug.includes(saved.code) ? "slug" : "");
      }
      const to = href("/app/organizations/:slug/settings", { slug: saved.slug });
      return redirectWithToast(to, { kind: "success", message: "organizations:toast.saved" });
    }
    case "leave":
      return answerChange(await leaveOrganization(call), result, {
        to: href("/app/organizations"),
        message: "organizations:toast.left",
        field: "leave",
      });
    case "delete": {
      const services = mailServices(context);
      const started = await startOrganizationDeletion(call, services, value.typedName);
      const isWrongName = !started.ok && started.code === "WRONG_ORGANIZATION_NAME";
      return answerChange(started, result, {
        to: href("/app/organizations/:slug/settings", params),
        message: "organizations:deletion.begun",
        field: isWrongName ? "typedName" : "deletion",
      });
    }
    case "restore":
      return answerChange(await restoreOrganization(call), result, {
        to: href("/app/organizations/:slug/settings", params),
        message: "organizations:deletion.restored",
        field: "deletion",
      });
  }
}

export const clientAction = sendForm;

export default function OrganizationSettingsScreen({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  const theirs =
    actionData && "theirs" in actionData ? (actionData.theirs as TheirProfile) : undefined;
  return (
    <OrganizationFrame frame={loaderData.frame} part="settings">
      <OrganizationSettings {...loaderData} result={actionData} theirs={theirs}>
        <FeaturePanels<"organizationSettings">
          subject={loaderData.frame}
          panels={loaderData.panels}
          now={loaderData.now}
        />
      </OrganizationSettings>
    </OrganizationFrame>
  );
}
