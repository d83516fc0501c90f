import { useRef, useState } from "react";
import { useIsHydrated } from "../layout/use-is-hydrated.ts";
import { DayPopover } from "../overlays/day-popover.tsx";
import { useTranslation } from "../text/translation.tsx";
import { Button } from "./button.tsx";
import { type DayRange, type Days, isDay, nearestDay, readDay } from "./day.ts";
import { LazyCalendar } from "./lazy-calendar.tsx";
import { TypedDay } from "./typed-day.tsx";

type DateRangePickerProps = Days & {
  label: string;
  /** Text of the chosen range; undefined when none is chosen. */
  text: string | undefined;
  /** Names of the form's two fields. */
  names: Record<keyof DayRange, string>;
  /** The range that the list shows now. */
  value: DayRange;
  today: string;
};

/**
 * Field for a range of days, of which either end may be open. It sends the form around it. Without JavaScript it is two
 * native fields.
 */
export function DateRangePicker(props: DateRangePickerProps) {
  const { label, text, names, value, today, ...days } = props;
  const { t } = useTranslation();
  const isHydrated = useIsHydrated();
  const from = useRef<HTMLInputElement>(null);
  const to = useRef<HTMLInputElement>(null);

  function send(range: DayRange) {
    if (!from.current || !to.current) return;
    from.current.value = range.from;
    to.current.value = range.to;
    from.current.form?.requestSubmit();
  }

  return (
    <>
      {isHydrated ? (
        <>
          <input ref={from} type="hidden" name={names.from} defaultValue={value.from} />
          <input ref={to} type="hidden" name={names.to} defaultValue={value.to} />
        </>
      ) : (
        <NativeRange {...days} names={names} value={value} />
      )}
      <DayPopover
        title={label}
        label={text === undefined ? label : t("labelled", { label, value: text })}
        text={text ?? label}
        isEmpty={text === undefined}
        className="text-sm"
      >
        {() => <RangeChoice {...days} value={value} today={today} onApply={send} />}
      </DayPopover>
    </>
  );
}

type NativeRangeProps = Days & Pick<DateRangePickerProps, "names" | "value">;

/** The browser's own fields, until the calendar can be used. */
function NativeRange({ first, last, names, value }: NativeRangeProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-2 [@media(scripting:enabled)]:hidden">
      {(["from", "to"] as const).map((end) => (
        <label key={end} className="grid gap-1 text-xs font-medium text-muted">
          {t(`list.${end}`)}
          <input
            type="date"
            name={names[end]}
            min={first}
            max={last}
            defaultValue={value[end]}
            className="input"
          />
        </label>
      ))}
      <Button isSmall>{t("list.apply")}</Button>
    </div>
  );
}

type RangeChoiceProps = Days & {
  value: DayRange;
  today: string;
  onApply: (range: DayRange) => void;
};

/** The calendar and the two fields show the same range. Nothing is sent before "Apply". */
function RangeChoice({ value, today, onApply, ...days }: RangeChoiceProps) {
  const { t } = useTranslation();
  const [range, setRange] = useState(value);
  const [refused, setRefused] = useState<(keyof DayRange)[]>([]);
  const root = useRef<HTMLDivElement>(null);

  function change(next: DayRange) {
    setRange(next);
    setRefused([]);
  }

  function apply() {
    const read = { from: readDay(range.from), to: readDay(range.to) };
    const wrong = (["from", "to"] as const).filter((end) => {
      const { first, last } = limitsOf(end, read, days);
      return read[end] !== "" && !(isDay(read[end]) && read[end] >= first && read[end] <= last);
    });
    setRange(read);
    setRefused(wrong);
    if (wrong.length === 0) return onApply(read);
    const fields = root.current?.querySelectorAll("input");
    fields?.[wrong[0] === "from" ? 0 : 1]?.focus();
  }

  return (
    <>
      <LazyCalendar
        {...days}
        mode="range"
        value={{ from: isDay(range.from) ? range.from : "", to: isDay(range.to) ? range.to : "" }}
        today={today}
        onSelect={change}
      />
      <div ref={root} className="grid grid-cols-2 gap-2 px-1 pb-1 max-sm:px-2">
        {(["from", "to"] as const).map((end) => (
          <TypedDay
            key={end}
            {...limitsOf(end, range, days)}
            label={t(`list.${end}`)}
            example={nearestDay(today, days)}
            value={range[end]}
            isRefused={refused.includes(end)}
            onChange={(typed) => change({ ...range, [end]: typed })}
            onEnter={apply}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-2 px-1 pb-1 max-sm:px-2 max-sm:*:min-h-11 max-sm:*:flex-1">
        <Button type="button" isSmall onClick={apply}>
          {t("list.apply")}
        </Button>
        {(value.from || value.to) && (
          <Button
            type="button"
            variant="secondary"
            isSmall
            onClick={() => onApply({ from: "", to: "" })}
          >
            {t("datePicker.clear")}
          </Button>
        )}
      </div>
    </>
  );
}

/** The last day of a range is not before its first. */
function limitsOf(end: keyof DayRange, range: DayRange, { first, last }: Days): Days {
  const isAfterFirst =
    end === "to" && isDay(range.from) && range.from >= first && range.from <= last;
  return { first: isAfterFirst ? range.from : first, last };
}
