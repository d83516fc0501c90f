import { type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { Form, Link, useLocation, useSubmit } from "react-router";
import { Button, ButtonLink } from "../ui/button.tsx";
import { DatePicker } from "../ui/date-picker.tsx";
import { inputClass } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { isolate } from "../ui/isolate.ts";
import { Select } from "../ui/select.tsx";
import { useTranslation } from "../ui/translation.tsx";
import type { ListState } from "./list-state.ts";
import { useListUrl } from "./list-url.ts";

const FILTER_FORM = "list-filters";

type FilterFormProps = { state: ListState; children: ReactNode };

/** Filters of a list. With JavaScript each change applies at once; without it there is a button. */
export function FilterForm({ state, children }: FilterFormProps) {
  const { t } = useTranslation();
  const submit = useSubmit();
  return (
    <Form
      id={FILTER_FORM}
      method="get"
      replace
      aria-label={t("list.filters")}
      className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
      onChange={(event) => submit(event.currentTarget, { replace: true })}
    >
      {Object.entries(keptBy(state)).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <Button variant="secondary" className="[@media(scripting:enabled)]:hidden">
        {t("list.apply")}
      </Button>
    </Form>
  );
}

/** Link that clears the filters and keeps the order and the search. */
export function ClearFilters({ state }: { state: ListState }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <ButtonLink
      variant="quiet"
      to={`${pathname}?${new URLSearchParams(keptBy(state))}`}
      replace
      onClick={() => {
        // The link disappears with the filters, so the focus moves to the first control.
        document
          .getElementById(FILTER_FORM)
          ?.querySelector<HTMLElement>("select, button, input:not([type=hidden])")
          ?.focus();
      }}
    >
      {t("list.clearFilters")}
    </ButtonLink>
  );
}

/** Returns the parameters that a change of filters keeps. */
function keptBy({ searchTerm, sort, direction }: ListState): Record<string, string> {
  return { sort, direction, ...(searchTerm && { searchTerm }) };
}

/**
 * Sets the control's value when the URL changes without it, as by Back, "Clear search" and "Clear filters". The control
 * keeps its focus.
 */
function useFollowedUrl(value = ""): RefObject<HTMLSelectElement | null> {
  const control = useRef<HTMLSelectElement>(null);

  // Outside React: the control's own value.
  useEffect(() => {
    if (control.current) control.current.value = value;
  }, [value]);

  return control;
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
  const id = useId();
  const control = useFollowedUrl(value);
  return (
    <div className={labelClass}>
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        ref={control}
        isSmall
        name={name}
        defaultValue={value ?? ""}
        className="sm:max-w-48 sm:min-w-36"
      >
        <option value="">{t("list.any")}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  );
}

type FilterReferenceProps = {
  name: string;
  label: string;
  /** What to type. */
  hint: string;
  value: string | undefined;
  /**
   * Name of the thing that the value refers to, when known. Shown instead of the value; pressing it clears the filter.
   */
  title: string | undefined;
};

/** Filter for one person or thing. It applies when the field loses the focus. */
export function FilterReference({ name, label, hint, value, title }: FilterReferenceProps) {
  const { t } = useTranslation();
  const urlWith = useListUrl();
  if (value !== undefined && title !== undefined) {
    return (
      <div className={`${labelClass} max-sm:col-span-2`}>
        {label}
        <span className="flex min-h-11 max-w-72 items-center rounded-md border border-accent-line bg-accent-fill ps-3 text-sm text-ink">
          <bdi className="truncate">{title}</bdi>
          <Link
            to={urlWith({ [name]: undefined })}
            replace
            preventScrollReset
            aria-label={t("list.removeFilter", {
              name: t("labelled", { label, value: isolate(title) }),
            })}
            className="grid min-h-11 min-w-11 place-items-center rounded-md hover:bg-fill-hover"
          >
            <Icon name="x" className="size-4" />
          </Link>
        </span>
        <input type="hidden" name={name} value={value} />
      </div>
    );
  }
  return (
    <label className={`${labelClass} max-sm:col-span-2`}>
      {label}
      <input
        key={value}
        name={name}
        defaultValue={value}
        placeholder={hint}
        autoCapitalize="off"
        spellCheck={false}
        className={`${inputClass} text-sm sm:w-56 [unicode-bidi:plaintext]`}
        // An incomplete value would find nothing.
        onChange={(event) => event.stopPropagation()}
        onBlur={(event) => {
          const { form, value: typed } = event.currentTarget;
          if (typed.trim() !== (value ?? "")) form?.requestSubmit();
        }}
      />
    </label>
  );
}

type FilterDaysProps = {
  from?: string;
  to?: string;
  /** Names of the two URL parameters, and their labels, when the days are not the creation days. */
  names?: { from: string; to: string };
  labels?: { from: string; to: string };
};

/** Filter for rows between two days. */
export function FilterDays({ from, to, names, labels }: FilterDaysProps) {
  const { t } = useTranslation();
  const days = [
    { name: names?.from ?? "from", label: labels?.from ?? t("list.from"), value: from },
    { name: names?.to ?? "to", label: labels?.to ?? t("list.to"), value: to },
  ];
  return days.map((day) => <FilterDay key={day.name} {...day} />);
}

/** Nothing is older than the product. A year before 2000 is a year that is still being typed. */
const FIRST_DAY = "2000-01-01";

type FilterDayProps = { name: string; label: string; value: string | undefined };

function FilterDay({ name, label, value }: FilterDayProps) {
  const { t } = useTranslation();
  const id = useId();
  const today = new Date().toISOString().slice(0, 10);
  return (
    <div className={`${labelClass} sm:w-36`}>
      <label htmlFor={id}>{label}</label>
      <DatePicker
        isFilter
        id={id}
        name={name}
        label={label}
        placeholder={t("list.any")}
        first={FIRST_DAY}
        last={today}
        today={today}
        defaultValue={value}
      />
    </div>
  );
}
