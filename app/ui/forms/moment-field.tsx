import { FIRST_DAY, LAST_DAY } from "../../values/time.ts";
import { useTranslation } from "../text/translation.tsx";
import { Field, type FieldProps } from "./field.tsx";

type MomentFieldProps = Pick<FieldProps, "name" | "label" | "hint" | "errors"> & {
  /** A date, or the text that was posted, `YYYY-MM-DDTHH:mm` in UTC. */
  value: Date | string | undefined;
  required?: boolean;
};

/** A day and a time of day in UTC, which the hint says: a form does not know the reader's time zone. */
export function MomentField({ name, label, hint, errors, value, required }: MomentFieldProps) {
  const { t } = useTranslation();
  return (
    <Field
      name={name}
      label={label}
      hint={
        <>
          {hint} {t("timesInUtc")}
        </>
      }
      errors={errors}
    >
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          min={`${FIRST_DAY}T00:00`}
          max={`${LAST_DAY}T23:59`}
          defaultValue={value instanceof Date ? value.toISOString().slice(0, 16) : value}
          required={required}
          className="input"
        />
      )}
    </Field>
  );
}
