import { type ReactNode, useState } from "react";
import { Form, href, useNavigation } from "react-router";
import { nameFieldOf, OTHER_LANGUAGES } from "../../../i18n/name-fields.ts";
import { Closable } from "../../../ui/feedback/closed.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button, ButtonLink } from "../../../ui/forms/button.tsx";
import { Field, TextField } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { ProofFirst } from "../../../ui/forms/proof.tsx";
import { Select } from "../../../ui/forms/select.tsx";
import { useFirstErrorFocus } from "../../../ui/forms/use-first-error-focus.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import type { MessageReference } from "../../../ui/text/message.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { ACCENT_NAMES, type AccentName, isAccent } from "../../../values/accents.ts";
import { URL_MAX_LENGTH } from "../../../values/limits.ts";
import { useCan } from "../../access/use-can.tsx";
import {
  type BrandDefaults,
  MAIL_FOOTER_MAX_LENGTH,
  PRODUCT_NAME_MAX_LENGTH,
  SENDER_NAME_MAX_LENGTH,
} from "./brand.ts";
import { type BrandLogos, BrandPreview } from "./brand-preview.tsx";
import type { BrandFormValues } from "./brand-values.ts";

type BrandFormProps = {
  values: BrandFormValues;
  logos: BrandLogos;
  /** The environment's values, which hold for what is not set. */
  defaults: BrandDefaults;
  hasPictures: boolean;
  result: { errors: Record<string, MessageReference[]> } | undefined;
  submitLabel: string;
  children?: ReactNode;
};

/** Form of the product's name and look, with a preview. Closed for managers who may not change them. */
export function BrandForm(props: BrandFormProps) {
  const { values, logos, defaults, hasPictures, result, submitLabel, children } = props;
  const { t } = useTranslation("settings");
  const format = useFormat();
  const errors = result?.errors ?? {};
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  const isReadOnly = !useCan()("settings", "update");
  const [name, setName] = useState(values.name ?? "");
  const [accent, setAccent] = useState(values.accent ?? "");
  const field = (key: string, maxLength: number) => ({
    name: key,
    defaultValue: values[key],
    errors: errors[key],
    maxLength,
    autoComplete: "off",
    dir: "auto" as const,
  });
  const urlField = (key: "helpUrl" | "supportUrl") => ({
    ...field(key, URL_MAX_LENGTH),
    label: t(`brand.${key}`),
    hint: t(`brand.${key}Hint`),
    type: "url",
    inputMode: "url" as const,
    dir: "ltr" as const,
    spellCheck: false,
  });
  return (
    <Form ref={form} method="post" noValidate className="grid gap-6">
      <FormErrors errors={errors[""]} />
      {!isReadOnly && <ProofFirst />}
      {isReadOnly && <Notice kind="info">{t("readOnly")}</Notice>}
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="xl:sticky xl:top-6 xl:order-last xl:self-start">
          <BrandPreview
            name={name.trim() || defaults.name}
            accent={isAccent(accent) ? accent : defaults.accent}
            logos={logos}
          />
        </div>
        <div className="grid gap-6">
          <Closable isClosed={isReadOnly}>
            <Panel isBeside title={t("brand.nameTitle")} intro={t("brand.nameIntro")}>
              <TextField
                {...field("name", PRODUCT_NAME_MAX_LENGTH)}
                label={t("brand.name")}
                hint={t("brand.nameHint", { name: defaults.name })}
                onChange={(event) => setName(event.target.value)}
              />
              {OTHER_LANGUAGES.map((language) => (
                <TextField
                  key={language}
                  {...field(nameFieldOf(language), PRODUCT_NAME_MAX_LENGTH)}
                  label={
                    <span suppressHydrationWarning>
                      {t("brand.nameIn", { language: format.language(language) })}
                    </span>
                  }
                />
              ))}
            </Panel>
            <Panel isBeside title={t("brand.lookTitle")} intro={t("brand.lookIntro")}>
              <Field name="accent" label={t("brand.accent")} errors={errors.accent}>
                {(control) => (
                  <Select
                    {...control}
                    defaultValue={values.accent ?? ""}
                    onChange={(event) => setAccent(event.target.value)}
                  >
                    <option value="">
                      {t("brand.accentDefault", { accent: accentName(defaults.accent) })}
                    </option>
                    {ACCENT_NAMES.map((one) => (
                      <option key={one} value={one}>
                        {accentName(one)}
                      </option>
                    ))}
                  </Select>
                )}
              </Field>
              {!isReadOnly && (
                <div className="grid gap-2">
                  <p className="text-sm font-medium">{t("brand.logoTitle")}</p>
                  <p className="text-sm text-muted">
                    {t(hasPictures ? "brand.logoHint" : "brandLogo.unavailable")}
                  </p>
                  {hasPictures && (
                    <div className="flex flex-wrap gap-2">
                      {(["light", "dark"] as const).map((theme) => (
                        <ButtonLink
                          key={theme}
                          variant="secondary"
                          to={href("/manager/settings/brand/logo/:theme", { theme })}
                        >
                          {t(`brand.logo.${theme}`)}
                        </ButtonLink>
                      ))}
                    </div>
                  )}
                </div>
              )}
            </Panel>
            <Panel isBeside title={t("brand.linksTitle")} intro={t("brand.linksIntro")}>
              <TextField {...urlField("supportUrl")} />
              <TextField {...urlField("helpUrl")} />
            </Panel>
            <Panel isBeside title={t("brand.mailTitle")} intro={t("brand.mailIntro")}>
              <TextField
                {...field("senderName", SENDER_NAME_MAX_LENGTH)}
                label={t("brand.senderName")}
                hint={t("brand.senderNameHint")}
              />
              <TextField
                {...field("mailFooter", MAIL_FOOTER_MAX_LENGTH)}
                label={t("brand.mailFooter")}
                hint={t("brand.mailFooterHint")}
              />
            </Panel>
          </Closable>
          {!isReadOnly && (
            <div className="flex justify-end">
              <Button isBusy={isBusy}>{submitLabel}</Button>
              {children}
            </div>
          )}
        </div>
      </div>
    </Form>
  );

  function accentName(one: AccentName): string {
    return t(`brand.accents.${one}`);
  }
}
