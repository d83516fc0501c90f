import { lazy, Suspense, useId, useRef, useState } from "react";
import { inputClass } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { Spinner } from "./spinner.tsx";
import { useTranslation } from "./translation.tsx";
import { useIsHydrated } from "./use-is-hydrated.ts";

/** Loaded when it is first opened; where its code cannot be fetched the browser's own field does. */
const Calendar = lazy(async () => {
  // The server never draws one, and is spared the code.
  if (import.meta.env.SSR) return { default: NativeCalendar };
  return import("./calendar.tsx").catch(() => ({ default: NativeCalendar }));
});

type DatePickerProps = {
  id: string;
  name: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
  /** What the day is for: the field's label. */
  label: string;
  /** The days, `YYYY-MM-DD`, between which one may be picked, both included. */
  first: string;
  last: string;
  defaultValue: string | undefined;
};

export type CalendarProps = {
  value: string;
  first: string;
  last: string;
  onSelect: (day: string) => void;
};

/** A field for a day: the browser's own without JavaScript, a calendar in the reader's language with it. */
export function DatePicker({
  label,
  first,
  last,
  defaultValue,
  name,
  ...control
}: DatePickerProps) {
  const { t, i18n } = useTranslation();
  const [day, setDay] = useState(defaultValue ?? "");
  const [isWanted, setIsWanted] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const panelId = useId().replace(/[^\w-]/g, "");
  const anchor = `--date-${panelId}`;
  if (!useIsHydrated()) {
    return (
      <input
        {...control}
        type="date"
        name={name}
        min={first}
        max={last}
        defaultValue={day}
        className={inputClass}
      />
    );
  }

  const locale = i18n.language === "ar" ? "ar-u-nu-latn" : i18n.language;
  const text = isDay(day)
    ? new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(day))
    : t("datePicker.pick");
  return (
    <>
      <input type="hidden" name={name} value={day} />
      <button
        {...control}
        ref={button}
        type="button"
        popoverTarget={panelId}
        aria-haspopup="dialog"
        aria-label={`${label}: ${text}`}
        style={{ anchorName: anchor }}
        className={`${inputClass} flex items-center gap-3 text-start ${isDay(day) ? "" : "text-muted"}`}
        onClick={() => setIsWanted(true)}
      >
        <Icon name="calendar" className="size-4 text-muted" />
        {text}
      </button>
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        role="dialog"
        aria-label={t("datePicker.pick")}
        style={{ positionAnchor: anchor }}
        className="menu-panel rounded-md border border-line bg-panel p-2 text-ink shadow-high"
        onToggle={({ newState, currentTarget }) => {
          setIsWanted(newState === "open");
          // Of popovers within popovers the browser gives the focus back for the outermost alone.
          const { activeElement, body } = document;
          const isLost = activeElement === body || currentTarget.contains(activeElement);
          if (newState === "closed" && isLost) button.current?.focus();
        }}
      >
        {isWanted && (
          <Suspense fallback={<Spinner />}>
            <Calendar
              value={isDay(day) ? day : ""}
              first={first}
              last={last}
              onSelect={(picked) => {
                setDay(picked);
                panel.current?.hidePopover();
              }}
            />
          </Suspense>
        )}
      </div>
    </>
  );
}

function NativeCalendar({ value, first, last, onSelect }: CalendarProps) {
  const { t } = useTranslation();
  return (
    <input
      type="date"
      aria-label={t("datePicker.pick")}
      min={first}
      max={last}
      defaultValue={value}
      className={inputClass}
      onChange={(event) => onSelect(event.currentTarget.value)}
    />
  );
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
