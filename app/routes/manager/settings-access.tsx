import { href } from "react-router";
import { AccessConflict } from "../../features/site-settings/access-conflict.tsx";
import { findConsequences } from "../../features/site-settings/access-consequences.server.ts";
import { type Consequence, isAgreed } from "../../features/site-settings/access-consequences.ts";
import { AccessForm } from "../../features/site-settings/access-form.tsx";
import {
  lockedOutDomain,
  storedMode,
  valuesOf,
} from "../../features/site-settings/access-values.ts";
import { AccessUpdate } from "../../features/site-settings/input.ts";
import {
  getAccessSettings,
  saveAccess,
} from "../../features/site-settings/site-settings.server.ts";
import { conflict, type FormResult, invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requirePermission, requireProof } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
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
    values: valuesOf(settings, config.signUpMode),
    version: settings.version,
    lockedOut: lockedOutDomain(settings, user.email),
    defaults: { signUpMode: config.signUpMode, terms: config.terms },
    hasListedAdmins: config.adminEmails.length > 0,
  };
}

type Answer = FormResult & { consequences?: Consequence[] };

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "settings", "update", { isProofLater: true });
  const form = await parseForm(request, AccessUpdate);
  const result: Answer = form.result;
  if (!form.ok) return invalid(result);
  requireProof(context, "settings.update");
  const { db, config, publicSettings } = context.get(servicesContext);
  if (form.value.termsVersion && !form.value.termsUrl && !config.terms.url) {
    const errors = { termsUrl: ["settings:terms.urlRequired"] };
    return invalid(result, errors);
  }
  const settings = await getAccessSettings(db);
  const { agreed, ...typed } = form.value;
  const signUpMode = storedMode(typed.signUpMode, settings.signUpMode, config.signUpMode);
  const change = { before: settings, after: { ...typed, signUpMode } };
  const reader = { userId: actor.actorId, now: actor.source.now() };
  const consequences = await findConsequences(db, config, change, reader);
  // Without JavaScript the first press shows the consequences.
  if (!isAgreed(consequences, agreed)) return invalid({ ...result, consequences });
  const isSaved = await saveAccess(db, actor, settings, change.after);
  publicSettings.forget();
  if (!isSaved) {
    const current = await getAccessSettings(db);
    return conflict(result, {
      ...valuesOf(current, config.signUpMode),
      version: String(current.version),
    });
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
        consequences={actionData?.consequences}
        result={actionData}
        submitLabel={overwrite ?? t("save")}
      >
        {field}
      </AccessForm>
    </>
  );
}
