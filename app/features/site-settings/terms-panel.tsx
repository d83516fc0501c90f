import { TextField } from "../../ui/forms/field.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { isolate } from "../../ui/text/isolate.ts";
import type { MessageReference } from "../../ui/text/message.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { TERMS_VERSION_MAX_LENGTH, URL_MAX_LENGTH } from "../../values/limits.ts";

type TermsPanelProps = {
  values: Record<string, string | undefined>;
  /** The environment's values, which hold for what is not set. */
  defaults: TermsDefaults;
  errors: Record<string, MessageReference[]>;
};

export type TermsDefaults = {
  url?: string | undefined;
  version?: string | undefined;
  privacyUrl?: string | undefined;
};

/** Links to terms and privacy policy, and the version that users must accept. */
export function TermsPanel({ values, defaults, errors }: TermsPanelProps) {
  const { t } = useTranslation("settings");
  const { url, version, privacyUrl } = defaults;
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
    <Panel isBeside title={t("terms.title")} intro={t("terms.intro")}>
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
    </Panel>
  );
}
