import { CURRENCIES } from "../../values/money.ts";
import { useTranslation } from "../text/translation.tsx";
import { Field, type FieldProps } from "./field.tsx";
import { Select } from "./select.tsx";

type MoneyFieldProps = Pick<FieldProps, "name" | "hint" | "errors"> & {
  label: string;
  /** Amount and currency as they were typed, "120.50,EUR", of which either may be empty. See `typedMoney`. */
  value: string | undefined;
  /** The currency of a field that has none yet. */
  currency?: string;
  required?: boolean;
};

/** An amount and its currency, which are posted under one name in this order. */
export function MoneyField(props: MoneyFieldProps) {
  const { name, label, hint, errors, value = "", currency = "USD", required } = props;
  const { t } = useTranslation();
  // A typed amount may have commas too.
  const end = value.lastIndexOf(",");
  const amount = end < 0 ? "" : value.slice(0, end);
  const chosen = value.slice(end + 1) || currency;
  const known: readonly string[] = CURRENCIES;
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      {(control) => (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2">
          <input
            {...control}
            dir="ltr"
            inputMode="decimal"
            autoComplete="off"
            defaultValue={amount}
            required={required}
            className="input text-end tabular-nums"
          />
          <Select
            key={chosen}
            name={name}
            aria-label={t("labelled", { label, value: t("currency") })}
            defaultValue={chosen}
            className="w-24"
          >
            {!known.includes(chosen) && <option>{chosen}</option>}
            {known.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </Select>
        </div>
      )}
    </Field>
  );
}
