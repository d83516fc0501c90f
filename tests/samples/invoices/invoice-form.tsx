import type { ReactNode } from "react";
import { DayField } from "../../ui/forms/day-field.tsx";
import { Field, TextField } from "../../ui/forms/field.tsx";
import { MoneyField } from "../../ui/forms/money-field.tsx";
import { RecordForm } from "../../ui/forms/record-form.tsx";
import { Select } from "../../ui/forms/select.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { LONG_TEXT_MAX_LENGTH, STATUS_CHOICES, TEXT_MAX_LENGTH } from "./invoice-limits.ts";
import type { InvoiceValues } from "./invoice-values.ts";

type InvoiceFormProps = {
  values: InvoiceValues;
  result: { errors: Record<string, string[]> } | undefined;
  submitLabel: string;
  /** Hidden fields, and elements beside the button. */
  children?: ReactNode;
};

/** Form fields of a new or existing invoice. */
export function InvoiceForm({ values, result, submitLabel, children }: InvoiceFormProps) {
  const { t } = useTranslation("invoices");
  const { t: record } = useTranslation("records");
  return (
    <RecordForm result={result} submitLabel={submitLabel} beside={children}>
      <TextField
        name="number"
        label={t("fields.number")}
        hint={record("unique")}
        dir="auto"
        maxLength={TEXT_MAX_LENGTH}
        defaultValue={values.number}
        errors={result?.errors.number}
        required
      />
      <TextField
        name="customer"
        label={t("fields.customer")}
        dir="auto"
        maxLength={TEXT_MAX_LENGTH}
        defaultValue={values.customer}
        errors={result?.errors.customer}
        required
      />
      <MoneyField
        name="amount"
        label={t("fields.amount")}
        value={values.amount}
        errors={result?.errors.amount}
        required
      />
      <DayField
        name="dueOn"
        label={t("fields.dueOn")}
        hint={record("optional")}
        value={values.dueOn}
        errors={result?.errors.dueOn}
      />
      <Field name="status" label={t("fields.status")} errors={result?.errors.status}>
        {(control) => (
          <Select {...control} defaultValue={values.status ?? STATUS_CHOICES[0]}>
            {STATUS_CHOICES.map((choice) => (
              <option key={choice} value={choice}>
                {t(`choices.status.${choice}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        name="notes"
        label={t("fields.notes")}
        hint={record("optional")}
        errors={result?.errors.notes}
      >
        {(control) => (
          <textarea
            {...control}
            dir="auto"
            rows={5}
            maxLength={LONG_TEXT_MAX_LENGTH}
            defaultValue={values.notes}
            className="input"
          />
        )}
      </Field>
    </RecordForm>
  );
}
