import { href } from "react-router";
import { sendForm } from "../../../http/lost-network.ts";
import { requireAct, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { APP_ACTS } from "../acts.ts";
import { AppLogoScreen } from "../app-logo-screen.tsx";
import type { Route } from "./+types/settings-app-logo.ts";
import { requireApp, requireChangeable, saveLogo } from "./apps.server.ts";
import { siteChange } from "./site-apps.server.ts";

export const handle = { i18n: ["settings", "connected-apps", "organizations", "pictures"] };

const pathOf = (id: string) => href("/manager/settings/apps/:id", { id });

/** A file would be lost on the way to a proof, so that comes first. */
export async function loader({ context, params }: Route.LoaderArgs) {
  requirePermission(context, "settings", "update", { isProofLater: true });
  const app = requireChangeable(await requireApp(context, "site", params.id), "site");
  requireAct(context, APP_ACTS.logo, { next: `${pathOf(app.id)}/logo` });
  const { avatars } = context.get(servicesContext);
  return { app, above: pathOf(app.id), isAvailable: avatars !== undefined };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  requirePermission(context, "settings", "update", { isProofLater: true });
  return saveLogo(siteChange(context, { values: {}, errors: {} }), params.id, request);
}

export const clientAction = sendForm;

export default function SettingsAppLogoScreen({ loaderData, actionData }: Route.ComponentProps) {
  return <AppLogoScreen {...loaderData} result={actionData} />;
}
