import { href } from "react-router";
import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { callScopesOf } from "../call-scopes.server.ts";
import { NewAppScreen } from "../new-app-screen.tsx";
import { NewAppForm } from "../office-input.ts";
import type { Route } from "./+types/settings-app-new.ts";
import { addApp } from "./apps.server.ts";
import { siteChange } from "./site-apps.server.ts";

export const handle = { i18n: ["settings", "connected-apps", "scopes"] };

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "settings", "update", { isProofLater: true });
  const { config, features } = context.get(servicesContext);
  return { issuer: config.baseUrl, callScopes: callScopesOf(features) };
}

/** Makes an app. Returns its secret, which is shown once, or the form with its errors. */
export async function action({ request, context }: Route.ActionArgs) {
  requirePermission(context, "settings", "update", { isProofLater: true });
  const form = await parseForm(request, NewAppForm);
  if (!form.ok) return invalid(form.result);
  return addApp(siteChange(context, form.result), form.value);
}

export const clientAction = sendForm;

export default function SettingsAppNewScreen({ loaderData, actionData }: Route.ComponentProps) {
  const list = href("/manager/settings/apps");
  return <NewAppScreen {...loaderData} list={list} isOfSite result={actionData} />;
}
