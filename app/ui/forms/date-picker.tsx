import { useState } from "react";
import { useIsHydrated } from "../layout/use-is-hydrated.ts";
import { DayPopover } from "../overlays/day-popover.tsx";
import { useTranslation } from "../text/translation.tsx";
import { useDayFormat } from "../text/use-format.ts";
import { Button } from "./button.tsx";
import { type Days, isDay, nearestDay, readDay } from "./day.ts";
import { LazyCalendar } from "./lazy-calendar.tsx";
import { TypedDay } from "./typed-day.tsx";

/** What a field gives its control. */
type Control = {
  id: string;
  name: string;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
};

type DatePickerProps = Days &
  Control & {
    label: string;
    /** The reader's current day, which the calendar marks. */
    today: string;
    /** The day in the field. A new value replaces the chosen day. */
    defaultValue: string | undefined;
    /** True where a chosen day can be taken back. */
    canClear?: boolean;
  };

/** Date field: the native one without JavaScript, a calendar in the reader's language with it. */
export function DatePicker(props: DatePickerProps) {
  const { label, today, defaultValue = "", canClear, first, last, name, ...control } = props;
  const { t } = useTranslation();
  const format = useDayFormat();
  const isHydrated = useIsHydrated();
  const [day, setDay] = useFollowing(defaultValue);
  const text = isDay(day) ? format.longDay(new Date(day)) : t("datePicker.pick");
  return (
    <>
      {isHydrated ? (
        <input type="hidden" name={name} value={day} />
      ) : (
        <input
          {...control}
          name={name}
          type="date"
          min={first}
          max={last}
          defaultValue={day}
          className="input [@media(scripting:enabled)]:hidden"
        />
      )}
      <DayPopover
        title={label}
        label={isHydrated ? t("labelled", { label, value: text }) : undefined}
        text={text}
        isEmpty={!isDay(day)}
        isBeside
        control={isHydrated && control}
      >
        {(close) => (
          <DayChoice
            day={day}
            first={first}
            last={last}
            today={today}
            canClear={canClear}
            onSelect={(picked) => {
              setDay(picked);
              close();
            }}
          />
        )}
      </DayPopover>
    </>
  );
}

type DayChoiceProps = Days & {
  /** The day in the field, or an empty string. */
  day: string;
  today: string;
  canClear: boolean | undefined;
  /** Called with an empty string when the day is taken back. */
  onSelect: (day: string) => void;
};

/** The calendar, and a field for typing. A typed day is taken once it is complete. */
function DayChoice({ day, today, canClear, onSelect, ...days }: DayChoiceProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(day);
  const [isRefused, setIsRefused] = useState(false);

  function read(text: string, isFinished: boolean) {
    setTyped(text);
    const read = readDay(text);
    const isWhole = isDay(read) && read >= days.first && read <= days.last;
    setIsRefused(!isWhole && (isFinished || read.length >= days.last.length));
    if (isWhole) onSelect(read);
  }

  return (
    <>
      <LazyCalendar
        {...days}
        mode="single"
        value={isDay(day) ? day : ""}
        today={today}
        onSelect={onSelect}
      />
      <div className="px-1 pb-1 max-sm:px-2">
        <TypedDay
          {...days}
          label={t("datePicker.type")}
          example={nearestDay(today, days)}
          value={typed}
          isRefused={isRefused}
          onChange={(text) => read(text, false)}
          onEnter={() => read(typed, true)}
        />
      </div>
      {canClear && day !== "" && (
        <div className="grid px-1 pb-1 max-sm:px-2">
          <Button type="button" variant="secondary" isSmall onClick={() => onSelect("")}>
            {t("datePicker.clear")}
          </Button>
        </div>
      )}
    </>
  );
}

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
