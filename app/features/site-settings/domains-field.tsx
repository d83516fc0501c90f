import { Field } from "../../ui/forms/field.tsx";
import type { MessageReference } from "../../ui/text/message.tsx";

type DomainsFieldProps = {
  name: string;
  label: string;
  hint: string;
  value: string | undefined;
  errors: MessageReference[] | undefined;
};

/** A list of domains, one a line. */
export function DomainsField({ name, label, hint, value, errors }: DomainsFieldProps) {
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      {(control) => (
        <textarea
          {...control}
          dir="ltr"
          rows={3}
          autoCapitalize="off"
          autoComplete="off"
          spellCheck={false}
          defaultValue={value}
          className="input"
        />
      )}
    </Field>
  );
}
