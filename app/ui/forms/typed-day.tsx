import { useId } from "react";
import { useTranslation } from "../text/translation.tsx";
import type { Days } from "./day.ts";

type TypedDayProps = Days & {
  label: string;
  /** An example of what can be typed, for the text about a refused day. */
  example: string;
  value: string;
  /** True when the field says which days may be typed. */
  isRefused: boolean;
  onChange: (typed: string) => void;
  onEnter: () => void;
};

/** A field for typing a day beside a calendar. */
export function TypedDay(props: TypedDayProps) {
  const { label, example, first, last, value, isRefused, onChange, onEnter } = props;
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      <input
        id={id}
        dir="ltr"
        inputMode="numeric"
        autoComplete="off"
        size={10}
        maxLength={10}
        value={value}
        aria-invalid={isRefused || undefined}
        aria-describedby={`${id}-error`}
        className="input rtl:text-end"
        // It may hold a day, and is full then: what is typed replaces it.
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Enter would send the form around it.
          event.preventDefault();
          onEnter();
        }}
      />
      <p id={`${id}-error`} role="alert" className="text-sm text-danger empty:hidden">
        {isRefused && t("datePicker.refused", { first, last, example })}
      </p>
    </div>
  );
}
