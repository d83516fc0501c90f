import { useTranslation } from "../../ui/text/translation.tsx";
import { useDayFormat } from "../../ui/text/use-format.ts";
import { type ChartDay, SERIES } from "./day-chart.tsx";

export function DayTable({ days }: { days: ChartDay[] }) {
  const { t } = useTranslation("manager");
  const format = useDayFormat();
  const title = t("dashboard.chart.title");
  return (
    // A table that scrolls has to be reached with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section aria-label={title} tabIndex={0} className="max-h-80 overflow-auto text-sm">
      <table className="w-full text-end [&_td]:py-1 [&_th]:py-1 [&_th]:text-start [&_th]:font-normal [&_thead_th]:text-muted [&_:is(td,thead_th+th)]:text-end">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t("dashboard.chart.day")}</th>
            {SERIES.map((series) => (
              <th key={series} scope="col">
                {t(`dashboard.series.${series}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.date.getTime()}>
              <th scope="row" suppressHydrationWarning>
                {format.day(day.date)}
              </th>
              {SERIES.map((series) => (
                <td key={series} suppressHydrationWarning>
                  {format.number(day[series])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
