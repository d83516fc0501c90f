import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "../../../ui/forms/button.tsx";
import { EmailField, TextField } from "../../../ui/forms/field.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import type { RefusedForm } from "../../../ui/forms/refused-form.ts";
import { useFirstErrorFocus } from "../../../ui/forms/use-first-error-focus.ts";
import { panelClass } from "../../../ui/layout/panel.tsx";
import { useArrivalFocus } from "../../../ui/layout/use-arrival-focus.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from "../../../values/limits.ts";
import { SlugField } from "../slug-field.tsx";

type NewOrganizationFormProps = {
  result: RefusedForm;
  children: ReactNode;
};

/** Form fields of a new organization on behalf of a user. */
export function NewOrganizationForm({ result, children }: NewOrganizationFormProps) {
  const { t } = useTranslation("manager-organizations");
  const isBusy = useNavigation().formMethod === "POST";
  const form = useFirstErrorFocus(result);
  useArrivalFocus(form);
  return (
    <Form ref={form} method="post" noValidate className={`grid gap-6 ${panelClass}`}>
      <FormErrors errors={result?.errors[""]} />
      <TextField
        name="name"
        label={t("name")}
        dir="auto"
        autoComplete="off"
        maxLength={NAME_MAX_LENGTH}
        defaultValue={result?.values.name}
        errors={result?.errors.name}
        required
      />
      <SlugField
        label={t("slug")}
        hint={t("slugProposed")}
        defaultValue={result?.values.slug}
        errors={result?.errors.slug}
      />
      <EmailField
        name="ownerEmail"
        label={t("ownerEmail")}
        hint={t("ownerHint")}
        maxLength={EMAIL_MAX_LENGTH}
        defaultValue={result?.values.ownerEmail}
        errors={result?.errors.ownerEmail}
        required
      />
      <div className="flex flex-wrap gap-3">
        <Button isBusy={isBusy}>{t("create")}</Button>
        {children}
      </div>
    </Form>
  );
}
