import { Form } from "react-router";
import { LazyDateRangePicker } from "../../ui/forms/lazy-date-range-picker.tsx";
import { closePopover } from "../../ui/overlays/close-popover.ts";
import { isolate } from "../../ui/text/isolate.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useDayFormat, useFormat } from "../../ui/text/use-format.ts";
import { dayAfter } from "../../values/time.ts";
import { Filter, FilterPill } from "./filters.tsx";
import { KeptParams } from "./kept-params.tsx";

/** Nothing is older than the product. A year before 2000 is a year that is still being typed. */
const FIRST_DAY = "2000-01-01";

/** Ranges that end today, by their name in the translations, with their length in days. */
const PRESETS = [
  ["today", 1],
  ["last7Days", 7],
  ["last30Days", 30],
] as const;

type FilterDaysProps = {
  label: string;
  from?: string;
  to?: string;
  names?: { from: string; to: string };
  /** The last day that can be picked, `YYYY-MM-DD`: today, unless rows have days to come. */
  last?: string;
};

/** Filter for rows between two days: ranges that end today, or picked days. */
export function FilterDays({ label, from, to, names = DAYS, last }: FilterDaysProps) {
  const { t } = useTranslation();
  const today = useFormat().dayKey(new Date());
  // Where no row has a day to come, a range up to today has no end in the URL.
  const end = last === undefined ? undefined : today;
  const presets = PRESETS.map(([name, days]) => ({ name, first: dayAfter(today, 1 - days) }));
  const preset = presets.find(({ first }) => first === from && to === end);
  const range = useRangeText(from, to);
  return (
    <Filter
      label={label}
      chosen={preset ? t(`list.days.${preset.name}`) : range}
      params={[names.from, names.to]}
    >
      <div className="flex flex-wrap gap-1.5">
        <FilterPill
          changes={{ [names.from]: undefined, [names.to]: undefined }}
          isChosen={range === undefined}
        >
          {t("list.any")}
        </FilterPill>
        {presets.map(({ name, first }) => (
          <FilterPill
            key={name}
            changes={{ [names.from]: first, [names.to]: end }}
            isChosen={name === preset?.name}
          >
            {t(`list.days.${name}`)}
          </FilterPill>
        ))}
      </div>
      <Form
        method="get"
        replace
        preventScrollReset
        aria-label={t("labelled", { label, value: t("list.days.custom") })}
        className="grid gap-2"
        onSubmit={closePopover}
      >
        <KeptParams fields={[names.from, names.to]} />
        <LazyDateRangePicker
          label={t("list.days.custom")}
          text={preset ? undefined : range}
          names={names}
          value={{ from: from ?? "", to: to ?? "" }}
          first={FIRST_DAY}
          last={last ?? today}
          today={today}
        />
      </Form>
    </Filter>
  );
}

const DAYS = { from: "from", to: "to" };

/** Returns the range in words; undefined when neither day is set. */
function useRangeText(from: string | undefined, to: string | undefined): string | undefined {
  const { t } = useTranslation();
  const format = useDayFormat();
  const write = (day: string) => isolate(format.day(new Date(day)));
  if (from !== undefined && from === to) return write(from);
  if (from !== undefined && to !== undefined) {
    const isOneYear = from.slice(0, 4) === to.slice(0, 4);
    const start = isOneYear ? isolate(format.shortDay(new Date(from))) : write(from);
    return t("list.days.between", { from: start, to: write(to) });
  }
  if (from !== undefined) return t("list.days.since", { day: write(from) });
  return to === undefined ? undefined : t("list.days.until", { day: write(to) });
}
