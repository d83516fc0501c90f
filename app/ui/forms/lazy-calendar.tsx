import { lazy, Suspense } from "react";
import { Spinner } from "../feedback/spinner.tsx";
import { useTranslation } from "../text/translation.tsx";
import type { CalendarProps } from "./day.ts";

/** Loaded when it is first opened. If its code cannot be fetched, the native field is used. */
const Calendar = lazy(async () => {
  // The server never draws it, so its bundle leaves the code out.
  if (import.meta.env.SSR) return { default: NativeCalendar };
  return import("./calendar.tsx").catch(() => ({ default: NativeCalendar }));
});

/** One month of days to choose one or a range from. */
export function LazyCalendar(props: CalendarProps) {
  return (
    <Suspense fallback={<Spinner />}>
      <Calendar {...props} />
    </Suspense>
  );
}

/** A range has fields for typing it beside the calendar, so it needs no other one. */
function NativeCalendar(props: CalendarProps) {
  const { t } = useTranslation();
  if (props.mode === "range") return null;
  const { value, first, last, onSelect } = props;
  return (
    <input
      type="date"
      aria-label={t("datePicker.pick")}
      min={first}
      max={last}
      defaultValue={value}
      className="input"
      onChange={({ currentTarget: { value: day } }) => {
        if (day >= first && day <= last) onSelect(day);
      }}
    />
  );
}
