import "./calendar.css";
import { useEffect, useRef } from "react";
import { DayPicker, type DayPickerProps } from "react-day-picker";
import { DEFAULT_LANGUAGE, formatLocaleOf, isLanguage, weekOf } from "../../i18n/languages.ts";
import { Icon } from "../text/icon.tsx";
import { useTranslation } from "../text/translation.tsx";
import { type CalendarProps, focusDay, nearestDay } from "./day.ts";

const stepClass =
  "inline-flex size-11 items-center justify-center rounded-md hover:bg-fill aria-disabled:opacity-40";

const CLASS_NAMES = {
  months: "relative",
  nav: "absolute inset-x-0 top-0 flex justify-between",
  button_previous: stepClass,
  button_next: stepClass,
  month_caption: "flex h-11 items-center justify-center px-11",
  dropdowns: "flex items-center gap-1",
  dropdown_root:
    "relative inline-flex min-h-11 items-center rounded-md px-1 outline-accent-ink hover:bg-fill has-focus-visible:outline-2",
  dropdown: "absolute inset-0 z-10 w-full cursor-pointer text-base opacity-0",
  caption_label: "inline-flex items-center gap-1 text-sm font-medium",
  month_grid: "border-collapse",
  weekday: "h-8 w-10 text-xs font-normal text-muted",
  day: "px-0 py-px text-center text-sm",
  day_button: "calendar-day",
  today: "calendar-today font-semibold",
  selected: "calendar-selected",
  range_start: "calendar-from",
  range_middle: "calendar-between",
  range_end: "calendar-to",
  disabled: "calendar-disabled",
  hidden: "invisible",
  outside: "calendar-outside invisible",
};

/** One month of days. Month and day names come from Intl, because the library has no Swahili. */
export default function Calendar(props: CalendarProps) {
  const { first, last, today } = props;
  const { t, i18n } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  // Moves the focus into the grid, unless the user is already typing a day because the calendar loaded late.
  useEffect(() => {
    if (document.activeElement?.matches("input")) return;
    if (root.current) focusDay(root.current);
  }, []);
  const language = isLanguage(i18n.language) ? i18n.language : DEFAULT_LANGUAGE;
  const locale = formatLocaleOf(language);
  const write = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options);
    return (date: Date) => format.format(date);
  };
  const month = write({ month: "long" });
  const year = write({ year: "numeric" });
  const caption = write({ month: "long", year: "numeric" });
  const weekday = write({ weekday: "long" });
  const week = weekOf(language);
  const intlWeekday = write({ weekday: "short" });
  const shortWeekday = (date: Date) => week.weekdays?.[date.getDay()] ?? intlWeekday(date);
  return (
    <div ref={root}>
      <DayPicker
        {...selectionOf(props)}
        dir={i18n.dir()}
        lang={language}
        weekStartsOn={week.start}
        captionLayout="dropdown"
        defaultMonth={dateOf(shownDay(props) || nearestDay(today, props))}
        startMonth={dateOf(first)}
        endMonth={dateOf(last)}
        disabled={{ before: dateOf(first), after: dateOf(last) }}
        today={dateOf(today)}
        formatters={{
          formatCaption: caption,
          formatDay: write({ day: "numeric" }),
          formatMonthDropdown: month,
          formatYearDropdown: year,
          formatWeekdayName: shortWeekday,
        }}
        labels={{
          labelDayButton: write({ dateStyle: "full" }),
          labelGrid: caption,
          labelNav: () => t("datePicker.months"),
          labelPrevious: () => t("datePicker.previous"),
          labelNext: () => t("datePicker.next"),
          labelMonthDropdown: () => t("datePicker.month"),
          labelYearDropdown: () => t("datePicker.year"),
          labelWeekday: weekday,
        }}
        components={{ Chevron }}
        classNames={CLASS_NAMES}
      />
    </div>
  );
}

/** What the library needs to know of the chosen days. */
function selectionOf(props: CalendarProps): DayPickerProps {
  if (props.mode === "single") {
    const { value, onSelect } = props;
    return {
      mode: "single",
      selected: value ? dateOf(value) : undefined,
      onSelect: (date) => date && onSelect(dayOf(date)),
    };
  }
  const { value, onSelect } = props;
  // An end before the beginning, which can be typed, ends no band of days.
  const end = value.to >= value.from ? value.to : "";
  const [from, to] = [value.from, end].map((day) => (day ? dateOf(day) : undefined));
  return {
    mode: "range",
    // A range without a beginning shows its end alone.
    selected: { from: from ?? to, to },
    // A day that is picked after a whole range begins another one.
    resetOnSelect: true,
    onSelect: (range) =>
      onSelect({
        from: range?.from ? dayOf(range.from) : "",
        to: range?.to ? dayOf(range.to) : "",
      }),
  };
}

/** The day whose month opens first. */
function shownDay(props: CalendarProps): string {
  return props.mode === "single" ? props.value : props.value.to || props.value.from;
}

/** Arrow of a step or a list of choices, in the direction of the text. */
function Chevron({ orientation }: { orientation?: "up" | "down" | "left" | "right" }) {
  if (orientation === "down") return <Icon name="chevron-up" className="size-4 rotate-180" />;
  return (
    <Icon name="arrow-left" className={`size-4 ${orientation === "left" ? "" : "rotate-180"}`} />
  );
}

/** Turns a day into a date in the browser's time zone, as the library needs it. The date is never sent. */
function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date);
}

function dayOf(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}
