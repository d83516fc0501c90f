import { data, href } from "react-router";
import { conflict, invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { redirectWithToast } from "../../../http/toast.ts";
import { answerList } from "../../../lists/query/list-answer.server.ts";
import { requireAct, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { can } from "../../access/permissions.ts";
import { APP_ACTS } from "../acts.ts";
import { AppList } from "../app-list.tsx";
import { getAppSettings, saveAppSettings } from "../app-settings.server.ts";
import { AppSettingsPanel } from "../app-settings-panel.tsx";
import { loadApps } from "../apps.server.ts";
import { AppSettingsForm } from "../office-input.ts";
import type { Route } from "./+types/settings-apps.ts";

export const handle = { i18n: ["settings", "connected-apps"] };

const path = href("/manager/settings/apps");

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const { db } = context.get(servicesContext);
  const { data: list, init } = await answerList(context, url, {
    otherwise: {
      maker: "all" as const,
      isFull: false,
      isOpen: undefined,
      settings: undefined,
    },
    load: (reader) => loadApps(db, url, reader),
  });
  return data({ ...list, mayChange: can(user, "settings", "update") }, init ?? undefined);
}

/** Saves what managers allow others to do with apps. */
export async function action({ request, context }: Route.ActionArgs) {
  requirePermission(context, "settings", "update", { isProofLater: true });
  const form = await parseForm(request, AppSettingsForm);
  if (!form.ok) return invalid(form.result);
  const actor = requireAct(context, APP_ACTS.settings);
  const { db } = context.get(servicesContext);
  const { intent: _intent, ...settings } = form.value;
  if (!(await saveAppSettings(db, actor, settings))) {
    return conflict(form.result, await getAppSettings(db));
  }
  return redirectWithToast(path, { kind: "success", message: "connected-apps:rules.saved" });
}

export const clientAction = sendForm;

export default function AppsScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { settings, mayChange } = loaderData;
  return (
    <div className="grid gap-6">
      <AppList {...loaderData} path={path} isOfSite />
      {settings && (
        <AppSettingsPanel
          settings={settings}
          mayChange={mayChange}
          path={path}
          result={actionData}
        />
      )}
    </div>
  );
}
