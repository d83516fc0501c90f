import { href } from "react-router";
import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { BreadcrumbTo } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { can } from "../../access/permissions.ts";
import { AppScreen } from "../app-screen.tsx";
import { callScopesOf } from "../call-scopes.server.ts";
import { AppForm, AppSearch } from "../office-input.ts";
import type { Route } from "./+types/settings-app.ts";
import { changeApp, requireApp } from "./apps.server.ts";
import { siteChange } from "./site-apps.server.ts";

export const handle = { i18n: ["settings", "connected-apps", "scopes"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const { config, avatars, features } = context.get(servicesContext);
  const app = await requireApp(context, "site", params.id);
  const mayEnd = can(user, "settings", "update");
  // What an organization's app is, its owners decide.
  const mayChange = mayEnd && app.organization === null;
  return {
    app,
    issuer: config.baseUrl,
    callScopes: callScopesOf(features),
    hasPictures: avatars !== undefined,
    mayChange,
    mayEnd,
    isEdited: mayChange && !app.isRegistered && parseSearch(url, AppSearch).state === "edit",
    now: context.get(requestContext).now(),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requirePermission(context, "settings", "update", { isProofLater: true });
  const form = await parseForm(request, AppForm);
  if (!form.ok) return invalid(form.result);
  return changeApp(siteChange(context, form.result), params.id, form.value);
}

export const clientAction = sendForm;

export default function SettingsAppScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("connected-apps");
  const path = href("/manager/settings/apps/:id", { id: loaderData.app.id });
  return (
    <AppScreen {...loaderData} isOfSite path={path} result={actionData}>
      <BreadcrumbTo to={href("/manager/settings/apps")}>{t("office.title")}</BreadcrumbTo>
    </AppScreen>
  );
}
