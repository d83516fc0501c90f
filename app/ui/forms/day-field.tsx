import { FIRST_DAY, LAST_DAY } from "../../values/time.ts";
import { useFormat } from "../text/use-format.ts";
import { DatePicker } from "./date-picker.tsx";
import { Field, type FieldProps } from "./field.tsx";

type DayFieldProps = Pick<FieldProps, "name" | "hint" | "errors"> & {
  label: string;
  /** `YYYY-MM-DD`. */
  value: string | undefined;
  /** A chosen day cannot be taken back. */
  required?: boolean;
};

/** A calendar day, past or to come. */
export function DayField({ name, label, hint, errors, value, required }: DayFieldProps) {
  const today = useFormat().dayKey(new Date());
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      {(control) => (
        <DatePicker
          {...control}
          label={label}
          today={today}
          first={FIRST_DAY}
          last={LAST_DAY}
          defaultValue={value}
          canClear={!required}
        />
      )}
    </Field>
  );
}
