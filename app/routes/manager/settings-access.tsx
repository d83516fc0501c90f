import { data, href } from "react-router";
import { AccessConflict } from "../../features/site-settings/access-conflict.tsx";
import { AccessForm } from "../../features/site-settings/access-form.tsx";
import { lockedOutDomain, valuesOf } from "../../features/site-settings/access-values.ts";
import { AccessUpdate } from "../../features/site-settings/input.ts";
import {
  getAccessSettings,
  saveAccess,
} from "../../features/site-settings/site-settings.server.ts";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { isProofMissing, requireActor, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { PROOF_REQUIRED } from "../../ui/forms/proof.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/settings-access.ts";

export const handle = { i18n: "settings" };

export async function loader({ context }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const { db, config } = context.get(servicesContext);
  const settings = await getAccessSettings(db);
  return {
    values: valuesOf(settings),
    version: settings.version,
    lockedOut: lockedOutDomain(settings, user.email),
    defaults: { signUpMode: config.signUpMode, terms: config.terms },
    hasListedAdmins: config.adminEmails.length > 0,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "settings", "update", { act: "form" });
  const form = await parseForm(request, AccessUpdate);
  if (!form.ok) return invalid({ ...form.result, theirs: undefined });
  // What was typed stays in the form.
  if (isProofMissing(context, "settings.update")) {
    return invalid({ ...form.result, theirs: undefined }, { "": [PROOF_REQUIRED] });
  }
  const { db, config, publicSettings } = context.get(servicesContext);
  if (form.value.termsVersion && !form.value.termsUrl && !config.terms.url) {
    const errors = { termsUrl: ["settings:terms.urlRequired"] };
    return invalid({ ...form.result, theirs: undefined }, errors);
  }
  const settings = await getAccessSettings(db);
  const isSaved = await saveAccess(db, actor, settings, form.value);
  publicSettings.forget();
  if (!isSaved) {
    const current = await getAccessSettings(db);
    const theirs = { ...valuesOf(current), version: current.version };
    return data({ ...form.result, theirs }, { status: 409 });
  }
  return redirectWithToast(href("/manager/settings/access"), {
    kind: "success",
    message: "settings:saved",
  });
}

export const clientAction = sendForm;

export default function AccessScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("settings");
  const common = useTranslation().t;
  const { values, version, defaults, hasListedAdmins, lockedOut } = loaderData;
  const { theirs, values: typed } = actionData ?? {};
  const base = theirs?.version ?? typed?.version ?? version;
  return (
    <>
      {theirs && typed && (
        <AccessConflict theirs={{ ...theirs, version: undefined }} yours={typed} />
      )}
      {lockedOut && (
        <Notice kind="warning">{t("emails.lockedOut", { domain: isolate(lockedOut) })}</Notice>
      )}
      <AccessForm
        key={base}
        values={typed ?? values}
        defaults={defaults}
        hasListedAdmins={hasListedAdmins}
        result={actionData}
        submitLabel={theirs ? common("conflict.overwrite") : t("save")}
      >
        {/* After a conflict the next save is based on the version just shown. */}
        <input type="hidden" name="version" value={base} />
      </AccessForm>
    </>
  );
}
