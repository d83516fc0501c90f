import { data, href } from "react-router";
import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { requireAct, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { APP_ACTS } from "../acts.ts";
import { createApp } from "../apps.server.ts";
import { callScopesOf } from "../call-scopes.server.ts";
import { NewAppScreen } from "../new-app-screen.tsx";
import { NewAppForm } from "../office-input.ts";
import { readApp } from "../read-app.ts";
import type { Route } from "./+types/settings-app-new.ts";

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
  const { kind, ...typed } = form.value;
  const { db, features } = context.get(servicesContext);
  const read = readApp(typed, kind, callScopesOf(features));
  if (!read.ok) return invalid(form.result, read.errors);
  const actor = requireAct(context, APP_ACTS.create);
  const made = await createApp({ db, actor }, kind, read.input);
  if (!made) {
    return invalid(form.result, { "": ["connected-apps:office.full"] }, { status: 409 });
  }
  const { id, clientId, secret } = made;
  if (secret !== undefined) return data({ values: {}, errors: {}, made: { id, clientId, secret } });
  return redirectWithToast(href("/manager/settings/apps/:id", { id }), {
    kind: "success",
    message: "connected-apps:office.toast.created",
  });
}

export const clientAction = sendForm;

export default function SettingsAppNewScreen({ loaderData, actionData }: Route.ComponentProps) {
  return <NewAppScreen {...loaderData} list={href("/manager/settings/apps")} result={actionData} />;
}
