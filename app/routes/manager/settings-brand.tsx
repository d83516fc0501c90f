import { href } from "react-router";
import { getBrand, saveBrand } from "../../features/site-settings/brand/brand.server.ts";
import { BrandConflict } from "../../features/site-settings/brand/brand-conflict.tsx";
import { BrandForm } from "../../features/site-settings/brand/brand-form.tsx";
import { brandValues } from "../../features/site-settings/brand/brand-values.ts";
import { BrandUpdate } from "../../features/site-settings/brand/input.ts";
import { conflict, invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requirePermission, requireProof } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { useVersioned } from "../../ui/forms/use-versioned.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/settings-brand.ts";

export const handle = { i18n: "settings" };

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "settings", "read");
  const { db, config, avatars } = context.get(servicesContext);
  const stored = await getBrand(db);
  return {
    values: brandValues(stored),
    logos: { light: stored.logoLight, dark: stored.logoDark },
    version: stored.version,
    defaults: config.brand,
    hasPictures: avatars !== undefined,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "settings", "update", { isProofLater: true });
  const form = await parseForm(request, BrandUpdate);
  if (!form.ok) return invalid(form.result);
  requireProof(context, "settings.update");
  const { db, publicSettings } = context.get(servicesContext);
  const isSaved = await saveBrand(db, actor, await getBrand(db), form.value);
  publicSettings.forget();
  if (!isSaved) {
    const current = await getBrand(db);
    return conflict(form.result, { ...brandValues(current), version: String(current.version) });
  }
  return redirectWithToast(href("/manager/settings/brand"), {
    kind: "success",
    message: "settings:saved",
  });
}

export const clientAction = sendForm;

export default function BrandScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("settings");
  const { theirs, typed, base, field, overwrite } = useVersioned(loaderData, actionData);
  return (
    <>
      {theirs && typed && <BrandConflict theirs={theirs} yours={typed} />}
      <BrandForm
        key={base}
        {...loaderData}
        values={typed ?? loaderData.values}
        result={actionData}
        submitLabel={overwrite ?? t("save")}
      >
        {field}
      </BrandForm>
    </>
  );
}
