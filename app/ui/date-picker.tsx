import { lazy, Suspense, useId, useRef, useState } from "react";
import { inputClass } from "./field.tsx";
import { Formatted } from "./formatted.tsx";
import { Icon } from "./icon.tsx";
import { Spinner } from "./spinner.tsx";
import { useTranslation } from "./translation.tsx";
import { useCssId } from "./use-css-id.ts";
import { useFormat } from "./use-format.ts";
import { useIsHydrated } from "./use-is-hydrated.ts";

/** Loaded when it is first opened. If its code cannot be fetched, the native field is used. */
const Calendar = lazy(async () => {
  // The server never draws it, so its bundle leaves the code out.
  if (import.meta.env.SSR) return { default: NativeCalendar };
  return import("./calendar.tsx").catch(() => ({ default: NativeCalendar }));
});

/** First and last day (`YYYY-MM-DD`) that may be chosen, both included. */
type Days = { first: string; last: string };

/** What a field gives its control. */
type Control = {
  id: string;
  name: string;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
};

type DatePickerProps = Days &
  Control & {
    /** The field's label. */
    label: string;
    /** The reader's current day, which the calendar marks. */
    today: string;
    /** The day in the field. A new value replaces the chosen day. */
    defaultValue: string | undefined;
    /** Text of an empty field. */
    placeholder?: string;
    /** True in a filter: the day can be cleared, and each change sends the form. */
    isFilter?: boolean;
  };

export type CalendarProps = Days & {
  value: string;
  today: string;
  onSelect: (day: string) => void;
};

/** Date field: the native one without JavaScript, a calendar in the reader's language with it. */
export function DatePicker(props: DatePickerProps) {
  const { label, today, defaultValue = "", placeholder, isFilter = false, ...field } = props;
  const { first, last, name, ...control } = field;
  const { t } = useTranslation();
  const format = useFormat();
  const isHydrated = useIsHydrated();
  const [day, setDay] = useFollowing(defaultValue);
  const [isWanted, setIsWanted] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const panelId = useCssId();
  const write = isFilter ? format.day : format.longDay;
  const text = isDay(day) ? write(new Date(day)) : (placeholder ?? t("datePicker.pick"));

  function pick(picked: string) {
    setDay(picked);
    panel.current?.hidePopover();
    if (!isFilter || !input.current) return;
    // React writes the value too late for this submit.
    input.current.value = picked;
    input.current.form?.requestSubmit();
  }

  return (
    <>
      {isHydrated ? (
        <input ref={input} type="hidden" name={name} value={day} />
      ) : (
        <NativeDay {...field} day={day} />
      )}
      <button
        {...(isHydrated && { ...control, "aria-label": t("labelled", { label, value: text }) })}
        ref={button}
        type="button"
        popoverTarget={panelId}
        aria-haspopup="dialog"
        style={{ anchorName: `--date-${panelId}` }}
        className={`${inputClass} flex items-center gap-3 text-start [@media(scripting:none)]:hidden ${isFilter ? "text-sm" : ""} ${isDay(day) ? "" : "text-muted"}`}
        onClick={() => setIsWanted(true)}
      >
        <Icon name="calendar" className="size-4 shrink-0 text-muted" />
        <Formatted>{text}</Formatted>
      </button>
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        role="dialog"
        aria-label={t("datePicker.pick")}
        style={{ positionAnchor: `--date-${panelId}` }}
        className="menu-panel rounded-md border border-line bg-panel p-2 text-base text-ink shadow-high max-sm:menu-sheet max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0 max-sm:pb-4"
        // Changes inside the popover are not changes of the form around it.
        onChange={(event) => event.stopPropagation()}
        onToggle={({ newState, currentTarget }) => {
          setIsWanted(newState === "open");
          // With nested popovers the browser returns the focus only for the outermost.
          const { activeElement, body } = document;
          const isLost = activeElement === body || currentTarget.contains(activeElement);
          if (newState === "closed" && isLost) button.current?.focus();
        }}
      >
        {isWanted && (
          <DayChoice
            day={day}
            first={first}
            last={last}
            today={today}
            isClearable={isFilter && day !== ""}
            onSelect={pick}
          />
        )}
      </div>
    </>
  );
}

type NativeDayProps = Days & Control & { day: string };

/** The browser's own field, until the calendar can be used. */
function NativeDay({ first, last, day, ...control }: NativeDayProps) {
  return (
    <input
      {...control}
      type="date"
      min={first}
      max={last}
      defaultValue={day}
      className={`${inputClass} [@media(scripting:enabled)]:hidden`}
    />
  );
}

type DayChoiceProps = Days & {
  /** The day in the field, or an empty string. */
  day: string;
  today: string;
  /** True when a button clears the day. */
  isClearable: boolean;
  onSelect: (day: string) => void;
};

/** What the popover shows: the calendar, the field for typing, and the button that clears the day. */
function DayChoice({ day, first, last, today, isClearable, onSelect }: DayChoiceProps) {
  const { t } = useTranslation();
  return (
    <div className="mx-auto grid w-min gap-2">
      <Suspense fallback={<Spinner />}>
        <Calendar
          value={isDay(day) ? day : ""}
          first={first}
          last={last}
          today={today}
          onSelect={onSelect}
        />
      </Suspense>
      <TypedDay first={first} last={last} onSelect={onSelect} />
      {isClearable && (
        <button type="button" className={clearClass} onClick={() => onSelect("")}>
          {t("datePicker.clear")}
        </button>
      )}
    </div>
  );
}

const clearClass =
  "min-h-11 rounded-md px-3 text-sm font-medium transition-colors duration-150 hover:bg-fill";

/** State that is reset whenever the given value changes. */
function useFollowing(given: string) {
  const [followed, setFollowed] = useState(given);
  const [value, setValue] = useState(given);
  if (given !== followed) {
    setFollowed(given);
    setValue(given);
  }
  return [value, setValue] as const;
}

type TypedDayProps = Days & { onSelect: (day: string) => void };

/** A field for typing a day. The day is taken once it is complete. */
function TypedDay({ first, last, onSelect }: TypedDayProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isRefused, setIsRefused] = useState(false);

  function read(text: string, isFinished: boolean) {
    const typed = text.trim().replace(/[^0-9]+/g, "-");
    const isWhole = isDay(typed) && typed >= first && typed <= last;
    setIsRefused(!isWhole && (isFinished || typed.length >= last.length));
    if (isWhole) onSelect(typed);
  }

  return (
    <div className="grid gap-1 px-1 pb-1">
      <label htmlFor={id} className="text-xs text-muted">
        {t("datePicker.type")}
      </label>
      <input
        id={id}
        dir="ltr"
        inputMode="numeric"
        autoComplete="off"
        size={10}
        maxLength={10}
        placeholder={last}
        aria-invalid={isRefused || undefined}
        aria-describedby={`${id}-error`}
        className={`${inputClass} rtl:text-end`}
        onChange={(event) => read(event.currentTarget.value, false)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Enter would send the form around it.
          event.preventDefault();
          read(event.currentTarget.value, true);
        }}
      />
      <p id={`${id}-error`} role="alert" className="text-sm text-danger empty:hidden">
        {isRefused && t("datePicker.refused", { first, last })}
      </p>
    </div>
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
      onChange={({ currentTarget: { value: day } }) => {
        if (day >= first && day <= last) onSelect(day);
      }}
    />
  );
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
