import { useEffect } from "react";
import { href } from "react-router";
import { canReadBack } from "../../features/avatars/field-files.ts";
import { IconFields } from "../../features/avatars/icon-fields.tsx";
import { deletePicture } from "../../features/avatars/picture-store.server.ts";
import { WholePictureField } from "../../features/avatars/whole-picture-field.tsx";
import { getBrand, saveBrand } from "../../features/site-settings/brand/brand.server.ts";
import { BRAND_PICTURES, brandInForce } from "../../features/site-settings/brand/brand.ts";
import { BrandConflict } from "../../features/site-settings/brand/brand-conflict.tsx";
import { BrandForm } from "../../features/site-settings/brand/brand-form.tsx";
import { THEME_COLORS } from "../../features/site-settings/brand/brand-previews.tsx";
import { brandValues } from "../../features/site-settings/brand/brand-values.ts";
import { BRAND_ICONS } from "../../features/site-settings/brand/icons.ts";
import { BrandUpdate } from "../../features/site-settings/brand/input.ts";
import { shownBrand } from "../../features/site-settings/brand/shown-brand.ts";
import { useBrandPictures } from "../../features/site-settings/brand/use-brand-pictures.ts";
import { conflict, invalid, parseFields, readUpload } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { requestContext } from "../../http/request-context.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requirePermission, requireProof } from "../../middleware/current-user.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { useVersioned } from "../../ui/forms/use-versioned.tsx";
import { useDocument } from "../../ui/layout/document.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/settings-brand.ts";
import { readBrandFiles, storeBrandFiles } from "./brand-pictures.server.ts";

export const handle = { i18n: ["settings", "pictures"] };

/**
 * Room for three photos from a phone, so that the typed values survive. Larger bodies are
 * discarded.
 */
const FORM_BYTES = { maxFileBytes: 8_000_000, discardBytes: 52_000_000 };

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "settings", "read");
  const { db, config, avatars } = context.get(servicesContext);
  const stored = await getBrand(db);
  const inForce = brandInForce(config.brand, config.isDemo ? undefined : stored);
  const { logoLight, logoDark, loginPicture } = stored;
  return {
    values: brandValues(stored),
    pictures: { logoLight, logoDark, loginPicture },
    icons: inForce.icons ?? null,
    version: stored.version,
    defaults: config.brand,
    hasPictures: avatars !== undefined,
    brand: shownBrand(inForce, context.get(languageContext)),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = requireActor(context, "settings", "update", { isProofLater: true });
  const { db, config, avatars, publicSettings } = context.get(servicesContext);
  const posted = await readUpload(request, FORM_BYTES);
  if (posted === "too_large") return refuseSize(await getBrand(db));
  const form = parseFields(posted, BrandUpdate);
  const files = await readBrandFiles(posted, avatars !== undefined);
  const errors = { ...form.result.errors, ...files.errors };
  if (!form.ok || Object.keys(files.errors).length > 0) return invalid(form.result, errors);
  requireProof(context, "settings.update");
  const { value } = form;
  const before = await getBrand(db);
  const changes = await storeBrandFiles(
    avatars,
    files,
    (name) => value[`${name}Removed`] === "yes",
  );
  const saved = await saveBrand(db, actor, before, value, {
    ...changes,
    defaultAccent: config.brand.accent,
  });
  publicSettings.forget();
  context.get(requestContext).afterAnswer(async () => {
    await Promise.all(saved.unused.map((name) => deletePicture(avatars, "brand", name)));
  });
  if (!saved.ok) {
    const current = await getBrand(db);
    return conflict(form.result, { ...brandValues(current), version: String(current.version) });
  }
  return redirectWithToast(href("/manager/settings/brand"), {
    kind: "success",
    message: "settings:saved",
  });
}

/** The body was too large to be read, so the form shows what is saved. */
function refuseSize(stored: Awaited<ReturnType<typeof getBrand>>) {
  const values = Object.fromEntries(
    Object.entries(brandValues(stored)).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const errors = Object.fromEntries(BRAND_PICTURES.map((name) => [name, ["pictures:tooLarge"]]));
  return invalid({ values: { ...values, version: String(stored.version) }, errors }, errors, {
    status: 413,
  });
}

export const clientAction = sendForm;

export default function BrandScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("settings");
  const { theirs, typed, base, field, overwrite } = useVersioned(loaderData, actionData);
  const { brand, defaults, hasPictures } = loaderData;
  const values = typed ?? loaderData.values;
  const pictures = useBrandPictures(loaderData, typed, canReadBack);
  const { setBrand } = useDocument();
  // Outside this screen: the shell, the colours and the icons of the page follow what was saved.
  useEffect(() => setBrand(brand), [brand, setBrand]);

  return (
    <>
      {theirs && typed && <BrandConflict theirs={theirs} yours={typed} />}
      <BrandForm
        key={base}
        values={values}
        defaults={defaults}
        shown={pictures.shown}
        isPictureChanged={pictures.isChanged}
        isDocumentForm={pictures.isDocumentForm}
        result={actionData}
        submitLabel={overwrite ?? t("save")}
        pictureFields={(accent) =>
          hasPictures ? (
            <>
              {pictures.fields.map(({ name, faintness, ...picture }) => (
                <WholePictureField
                  key={name}
                  name={name}
                  label={t(`brand.${name}`)}
                  hint={t(`brand.${name}Hint`)}
                  note={picture.isLeftOutOfMails && t("brand.notInMails")}
                  warning={
                    faintness &&
                    t(`brand.${faintness.isOwn ? "faintLogo" : "faintAlone"}.${faintness.theme}`)
                  }
                  purpose={name === "loginPicture" ? "wide" : "logo"}
                  background={THEME_COLORS[name === "logoDark" ? "dark" : "light"].page}
                  errors={actionData?.errors[name]}
                  {...picture}
                />
              ))}
              <IconFields
                icons={BRAND_ICONS}
                source={pictures.iconSourceFor(accent)}
                ground={pictures.iconGround}
                onMade={pictures.setMadeIcons}
              />
            </>
          ) : (
            <p className="text-sm text-muted">{t("brand.noPictures")}</p>
          )
        }
      >
        {field}
      </BrandForm>
    </>
  );
}
