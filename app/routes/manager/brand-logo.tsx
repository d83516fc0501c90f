import { href } from "react-router";
import { PictureScreen } from "../../features/avatars/picture-screen.tsx";
import { deletePicture, storePicture } from "../../features/avatars/picture-store.server.ts";
import {
  changeBrandLogo,
  getBrand,
  LOGO_THEMES,
} from "../../features/site-settings/brand/brand.server.ts";
import { LogoInTheme } from "../../features/site-settings/brand/brand-preview.tsx";
import { isLeftOutOfMails } from "../../features/site-settings/brand/shown-brand.ts";
import { invalid } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { notFound } from "../../http/responses.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { LogoMark } from "../../ui/text/logo.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { readPictureForm, refusePicture } from "../picture-form.server.ts";
import type { Route } from "./+types/brand-logo.ts";

export const handle = { i18n: ["settings", "pictures"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  // Before a file is chosen: a form that was sent too late would lose it.
  requirePermission(context, "settings", "update", { next: url.pathname });
  const { db, avatars } = context.get(servicesContext);
  const theme = themeOf(params.theme);
  const { logoLight, logoDark } = await getBrand(db);
  const file = theme === "light" ? logoLight : logoDark;
  return { theme, file, isAvailable: avatars !== undefined };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const actor = requireActor(context, "settings", "update");
  const theme = themeOf(params.theme);
  const { db, avatars, publicSettings } = context.get(servicesContext);
  const { afterAnswer } = context.get(requestContext);
  const form = await readPictureForm(request);
  if (!avatars) return refusePicture("brandLogo", "unavailable");
  if (!form.ok) return refusePicture("brandLogo", form.reason);
  const stored = form.picture && (await storePicture(avatars, { brand: "yes" }, form.picture));
  if (stored && !stored.ok) return refusePicture("brandLogo", stored.error);
  const picture = stored?.name ?? null;
  const changed = await changeBrandLogo(db, actor, theme, picture);
  publicSettings.forget();
  afterAnswer(() => deletePicture(avatars, "brand", changed.ok ? changed.replaced : picture));
  if (!changed.ok) {
    return invalid({ values: {}, errors: { picture: ["settings:brandLogo.conflict"] } });
  }
  return redirectWithToast(href("/manager/settings/brand"), {
    kind: "success",
    message: `settings:brandLogo.${picture === null ? "removed" : "changed"}`,
  });
}

export const clientAction = sendForm;

export default function BrandLogoScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("settings");
  const { theme, file, isAvailable } = loaderData;
  return (
    <>
      <ScreenTitle>{t(`brand.logo.${theme}`)}</ScreenTitle>
      <PictureScreen
        kind="brandLogo"
        current={
          file ? <LogoInTheme file={file} theme={theme} /> : <LogoMark className="size-16" />
        }
        hasPicture={file !== null}
        note={file !== null && isLeftOutOfMails(file) && t("brandLogo.notInMails")}
        above={{ to: href("/manager/settings/brand"), name: t("nav.brand") }}
        isAvailable={isAvailable}
        result={actionData}
      />
    </>
  );
}

function themeOf(param: string) {
  return LOGO_THEMES.find((theme) => theme === param) ?? notFound();
}
