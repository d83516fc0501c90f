import { TextField } from "../../ui/forms/field.tsx";
import { FoldedPanel } from "../../ui/layout/panel.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { TERMS_VERSION_MAX_LENGTH, URL_MAX_LENGTH } from "../../values/limits.ts";
import { type FormPartProps, isInUse } from "./form-part.ts";

/** Links to terms and privacy policy, and the version that users must accept. */
export function TermsPanel({ values, defaults, errors }: FormPartProps) {
  const { t } = useTranslation("settings");
  const { url, version, privacyUrl } = defaults.terms;
  const fallback = (value: string | undefined) =>
    value && t("terms.default", { value: isolate(value) });
  const urlField = {
    type: "url",
    inputMode: "url",
    dir: "ltr",
    autoComplete: "off",
    autoCapitalize: "off",
    spellCheck: false,
    maxLength: URL_MAX_LENGTH,
  } as const;
  return (
    <FoldedPanel
      title={t("terms.title")}
      intro={t("terms.intro")}
      isOpen={isInUse({ values, errors }, "termsUrl", "privacyUrl", "termsVersion")}
    >
      <TextField
        {...urlField}
        name="termsUrl"
        label={t("terms.url")}
        hint={fallback(url)}
        defaultValue={values.termsUrl}
        errors={errors.termsUrl}
      />
      <TextField
        {...urlField}
        name="privacyUrl"
        label={t("terms.privacyUrl")}
        hint={fallback(privacyUrl)}
        defaultValue={values.privacyUrl}
        errors={errors.privacyUrl}
      />
      <TextField
        name="termsVersion"
        label={t("terms.version")}
        hint={[t("terms.versionHint"), fallback(version)].filter(Boolean).join(" ")}
        dir="auto"
        autoComplete="off"
        maxLength={TERMS_VERSION_MAX_LENGTH}
        defaultValue={values.termsVersion}
        errors={errors.termsVersion}
      />
    </FoldedPanel>
  );
}
