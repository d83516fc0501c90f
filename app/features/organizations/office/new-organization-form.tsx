import type { ReactNode } from "react";
import { EmailField, TextField } from "../../../ui/forms/field.tsx";
import { ProofFirst } from "../../../ui/forms/proof.tsx";
import { RecordForm } from "../../../ui/forms/record-form.tsx";
import type { RefusedForm } from "../../../ui/forms/refused-form.ts";
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
  return (
    <RecordForm result={result} submitLabel={t("create")} beside={children}>
      <ProofFirst />
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
    </RecordForm>
  );
}
