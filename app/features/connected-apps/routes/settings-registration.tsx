import { href } from "react-router";
import { sendForm } from "../../../http/lost-network.ts";
import { saveVersioned } from "../../../http/save-record.server.ts";
import { requireAct, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { can } from "../../access/permissions.ts";
import { APP_ACTS } from "../acts.ts";
import { callScopesOf } from "../call-scopes.server.ts";
import { RegistrationForm } from "../office-input.ts";
import {
  findRegistration,
  getRegistrationSettings,
  saveRegistration,
} from "../registration.server.ts";
import { RegistrationScreen } from "../registration-screen.tsx";
import { APP_SCOPES, inOrder } from "../scopes.ts";
import type { Route } from "./+types/settings-registration.ts";

export const handle = { i18n: ["settings", "connected-apps", "scopes"] };

const list = href("/manager/settings/apps");
const here = href("/manager/settings/apps/registration");

export async function loader({ context }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const { db, features } = context.get(servicesContext);
  return {
    ...(await findRegistration(db)),
    callScopes: callScopesOf(features),
    mayChange: can(user, "settings", "update"),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  requirePermission(context, "settings", "update", { isProofLater: true });
  const { db, features } = context.get(servicesContext);
  const known = [...APP_SCOPES, ...callScopesOf(features)];
  const saved = "connected-apps:registration.saved";
  return saveVersioned(request, RegistrationForm, saved, async (typed) => {
    const actor = requireAct(context, APP_ACTS["save-registration"]);
    const before = await getRegistrationSettings(db);
    const scopes = inOrder(["openid", ...typed.scopes.filter((one) => known.includes(one))]);
    if (await saveRegistration(db, actor, before, { ...typed, scopes })) return { to: here };
    return { theirs: await getRegistrationSettings(db) };
  });
}

export const clientAction = sendForm;

export default function SettingsRegistrationScreen({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  return <RegistrationScreen {...loaderData} list={list} path={here} result={actionData} />;
}
