import type { ReactNode } from "react";
import { Form, useSubmit } from "react-router";
import { Button } from "./button.tsx";
import type { ListState } from "./data-list.tsx";
import { inputClass } from "./field.tsx";
import { useTranslation } from "./translation.tsx";

type FilterFormProps = { state: ListState; children: ReactNode };

/** The filters of a list: a plain form without JavaScript, at work with every change with it. */
export function FilterForm({ state, children }: FilterFormProps) {
  const { t } = useTranslation();
  const submit = useSubmit();
  const { searchTerm, sort, direction } = state;
  const kept = { sort, direction, ...(searchTerm && { searchTerm }) };
  return (
    <Form
      method="get"
      replace
      aria-label={t("list.filters")}
      className="flex flex-wrap items-end gap-3"
      onChange={(event) => submit(event.currentTarget, { replace: true })}
    >
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <Button variant="secondary" className="[@media(scripting:enabled)]:hidden">
        {t("list.apply")}
      </Button>
    </Form>
  );
}

const labelClass = "grid gap-1 text-xs font-medium text-muted";

type FilterSelectProps = {
  name: string;
  label: string;
  value: string | undefined;
  options: [value: string, label: string][];
};

export function FilterSelect({ name, label, value, options }: FilterSelectProps) {
  const { t } = useTranslation();
  return (
    <label className={labelClass}>
      {label}
      <select
        // Back and Clear search change the filter without this control.
        key={value}
        name={name}
        defaultValue={value ?? ""}
        className={`${inputClass} min-w-36 text-sm`}
      >
        <option value="">{t("list.any")}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Two days between which the rows of a list were made. */
export function FilterDays({ from, to }: { from?: string; to?: string }) {
  const { t } = useTranslation();
  return Object.entries({ from, to }).map(([name, value]) => (
    <label key={name} className={labelClass}>
      {t(name === "from" ? "list.from" : "list.to")}
      <input
        key={value}
        type="date"
        name={name}
        defaultValue={value}
        className={`${inputClass} text-sm`}
      />
    </label>
  ));
}
