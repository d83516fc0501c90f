import { href } from "react-router";
import { AccessConflict } from "../../features/site-settings/access-conflict.tsx";
import { AccessForm } from "../../features/site-settings/access-form.tsx";
import { lockedOutDomain, valuesOf } from "../../features/site-settings/access-values.ts";
import { AccessUpdate } from "../../features/site-settings/input.ts";
import {
  getAccessSettings,
  saveAccess,
} from "../../features/site-settings/site-settings.server.ts";
import { conflict, invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { isProofMissing, requireActor, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { PROOF_REQUIRED } from "../../ui/forms/proof.tsx";
import { useVersioned } from "../../ui/forms/use-versioned.tsx";
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
  const actor = requireActor(context, "settings", "update", { isProofLater: true });
  const form = await parseForm(request, AccessUpdate);
  if (!form.ok) return invalid(form.result);
  // What was typed stays in the form.
  if (isProofMissing(context, "settings.update")) {
    return invalid(form.result, { "": [PROOF_REQUIRED] });
  }
  const { db, config, publicSettings } = context.get(servicesContext);
  if (form.value.termsVersion && !form.value.termsUrl && !config.terms.url) {
    const errors = { termsUrl: ["settings:terms.urlRequired"] };
    return invalid(form.result, errors);
  }
  const settings = await getAccessSettings(db);
  const isSaved = await saveAccess(db, actor, settings, form.value);
  publicSettings.forget();
  if (!isSaved) {
    const current = await getAccessSettings(db);
    return conflict(form.result, { ...valuesOf(current), version: String(current.version) });
  }
  return redirectWithToast(href("/manager/settings/access"), {
    kind: "success",
    message: "settings:saved",
  });
}

export const clientAction = sendForm;

export default function AccessScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("settings");
  const { values, defaults, hasListedAdmins, lockedOut } = loaderData;
  const { theirs, typed, base, field, overwrite } = useVersioned(loaderData, actionData);
  return (
    <>
      {theirs && typed && <AccessConflict theirs={theirs} yours={typed} />}
      {lockedOut && (
        <Notice kind="warning">{t("emails.lockedOut", { domain: isolate(lockedOut) })}</Notice>
      )}
      <AccessForm
        key={base}
        values={typed ?? values}
        defaults={defaults}
        hasListedAdmins={hasListedAdmins}
        result={actionData}
        submitLabel={overwrite ?? t("save")}
      >
        {field}
      </AccessForm>
    </>
  );
}
