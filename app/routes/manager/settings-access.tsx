import { data, href } from "react-router";
import { AccessForm } from "../../features/site-settings/access-form.tsx";
import { AccessUpdate } from "../../features/site-settings/input.ts";
import { SettingsFrame } from "../../features/site-settings/settings-frame.tsx";
import { getSiteSettings, saveAccess } from "../../features/site-settings/site-settings.server.ts";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ConflictNotice } from "../../ui/conflict-notice.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/settings-access.ts";

export const handle = { i18n: "settings" };

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "settings", "read");
  const { db, config } = context.get(servicesContext);
  const { signUpMode, version } = await getSiteSettings(db);
  return { values: { signUpMode }, version, defaults: { signUpMode: config.signUpMode } };
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "settings", "update");
  const form = await parseForm(request, AccessUpdate);
  if (!form.ok) return invalid({ ...form.result, theirs: undefined });
  const { db } = context.get(servicesContext);
  const isSaved = await saveAccess(db, actor, await getSiteSettings(db), form.value);
  if (!isSaved) {
    const { signUpMode, version } = await getSiteSettings(db);
    return data({ ...form.result, theirs: { signUpMode, version } }, { status: 409 });
  }
  return redirectWithToast(href("/manager/settings/access"), {
    kind: "success",
    message: "settings:saved",
  });
}

export default function AccessScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("settings");
  const common = useTranslation().t;
  const { values, version, defaults } = loaderData;
  const { theirs, values: typed } = actionData ?? {};
  const base = theirs?.version ?? typed?.version ?? version;
  const modeName = (mode: string | null | undefined) =>
    mode === "open" || mode === "invitation" || mode === "closed"
      ? t(`signUp.${mode}`)
      : t("default");
  return (
    <SettingsFrame part="access">
      {theirs && (
        <ConflictNotice
          discardHref={href("/manager/settings/access")}
          fields={[
            {
              label: t("signUp.mode"),
              theirs: modeName(theirs.signUpMode),
              yours: modeName(typed?.signUpMode),
            },
          ]}
        />
      )}
      <AccessForm
        key={base}
        values={typed ?? values}
        defaults={defaults}
        result={actionData}
        submitLabel={theirs ? common("conflict.overwrite") : t("save")}
      >
        {/* After a conflict the next save is based on the version just shown. */}
        <input type="hidden" name="version" value={base} />
      </AccessForm>
    </SettingsFrame>
  );
}
