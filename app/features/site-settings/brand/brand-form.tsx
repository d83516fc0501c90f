import { type ReactNode, useState } from "react";
import { Form, useNavigation } from "react-router";
import { nameFieldOf, OTHER_LANGUAGES } from "../../../i18n/name-fields.ts";
import { Closable } from "../../../ui/feedback/closed.tsx";
import { Notice } from "../../../ui/feedback/notice.tsx";
import { Button } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { ProofFirst } from "../../../ui/forms/proof.tsx";
import { SaveBar } from "../../../ui/forms/save-bar.tsx";
import { useFirstErrorFocus } from "../../../ui/forms/use-first-error-focus.ts";
import { useUnsaved } from "../../../ui/forms/use-unsaved.ts";
import { Panel } from "../../../ui/layout/panel.tsx";
import type { MessageReference } from "../../../ui/text/message.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useFormat } from "../../../ui/text/use-format.ts";
import { type AccentName, isAccent } from "../../../values/accents.ts";
import { URL_MAX_LENGTH } from "../../../values/limits.ts";
import { useCan } from "../../access/use-can.tsx";
import { AccentField } from "./accent-field.tsx";
import {
  type BrandDefaults,
  MAIL_FOOTER_MAX_LENGTH,
  PRODUCT_NAME_MAX_LENGTH,
  SENDER_NAME_MAX_LENGTH,
} from "./brand.ts";
import { BrandPreviews, type PreviewPictures } from "./brand-previews.tsx";
import type { BrandFormValues } from "./brand-values.ts";

type BrandFormProps = {
  values: BrandFormValues;
  /** The environment's values, which hold for what is not set. */
  defaults: BrandDefaults;
  /** The pictures of the form, saved or chosen. */
  shown: PreviewPictures;
  /** True when a picture was chosen or removed. */
  isPictureChanged: boolean;
  /** True where scripts cannot send files; see `canReadBack`. */
  isDocumentForm: boolean;
  result: { errors: Record<string, MessageReference[]> } | undefined;
  submitLabel: string;
  /** The fields for pictures, which depend on the chosen accent. */
  pictureFields: (accent: AccentName) => ReactNode;
  children?: ReactNode;
};

/**
 * Form of the product's name and look, with previews. Closed for managers who may not change them.
 */
export function BrandForm(props: BrandFormProps) {
  const { values, defaults, shown, isPictureChanged, isDocumentForm, result } = props;
  const { submitLabel, pictureFields, children } = props;
  const { t } = useTranslation("settings");
  const format = useFormat();
  const errors = result?.errors ?? {};
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  const isReadOnly = !useCan()("settings", "update");
  const { isUnsaved: isTyped, handlers } = useUnsaved();
  const isUnsaved = isTyped || isPictureChanged || result !== undefined;
  const [typed, setTyped] = useState(values);
  const accent = isAccent(typed.accent) ? typed.accent : defaults.accent;
  const name = typed.name?.trim() || defaults.name;
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
    inputMode: "url" as const,
    dir: "ltr" as const,
    spellCheck: false,
  });
  return (
    <Form
      ref={form}
      {...handlers}
      onInput={({ target }) => {
        if (target instanceof HTMLInputElement && target.type === "text") {
          setTyped((before) => ({ ...before, [target.name]: target.value }));
        }
      }}
      method="post"
      encType="multipart/form-data"
      reloadDocument={isDocumentForm}
      noValidate
      className="grid gap-6 [&_input]:scroll-mb-24"
    >
      <FormErrors errors={errors[""]} />
      {!isReadOnly && <ProofFirst />}
      {isReadOnly && <Notice kind="info">{t("readOnly")}</Notice>}
      <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="xl:sticky xl:top-6 xl:order-last xl:self-start">
          <BrandPreviews
            name={name}
            sender={typed.senderName?.trim() || name}
            footer={typed.mailFooter?.trim() || defaults.mailFooter}
            accent={accent}
            shown={shown}
          />
        </div>
        <div className="grid content-start gap-6">
          <Closable isClosed={isReadOnly}>
            <Panel isBeside title={t("brand.nameTitle")} intro={t("brand.nameIntro")}>
              <TextField
                {...field("name", PRODUCT_NAME_MAX_LENGTH)}
                label={t("brand.name")}
                hint={t("brand.nameHint", { name: defaults.name })}
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
            <Panel isBeside title={t("brand.picturesTitle")} intro={t("brand.picturesIntro")}>
              {pictureFields(accent)}
            </Panel>
            <Panel title={t("brand.accent")} intro={t("brand.accentIntro")}>
              <AccentField
                value={values.accent ?? ""}
                defaultAccent={defaults.accent}
                errors={errors.accent}
                onChoose={(chosen) => setTyped((before) => ({ ...before, accent: chosen }))}
              />
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
        </div>
      </div>
      {!isReadOnly && (
        <SaveBar isUnsaved={isUnsaved} errors={errors}>
          <Button isBusy={isBusy}>{submitLabel}</Button>
          {children}
        </SaveBar>
      )}
    </Form>
  );
}
