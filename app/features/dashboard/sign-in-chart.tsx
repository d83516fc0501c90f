import { Formatted } from "../../ui/formatted.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useFormat } from "../../ui/use-format.ts";

const WIDTH = 600;
const HEIGHT = 160;
const GAP = 4;

type SignInChartProps = { days: { date: Date; count: number }[] };

/** Bar chart of sign-ins a day, drawn by the server. A table holds the same numbers for screen readers. */
export function SignInChart({ days }: SignInChartProps) {
  const { t } = useTranslation("manager");
  const common = useTranslation().t;
  const format = useFormat();
  const highest = Math.max(1, ...days.map((day) => day.count));
  const step = WIDTH / days.length;
  return (
    <figure className="grid gap-2">
      <div className="grid gap-1" aria-hidden="true">
        {/* The highest count, as the scale of the bars. */}
        <span
          className="border-b border-dashed border-line text-xs text-muted"
          suppressHydrationWarning
        >
          {format.number(highest)}
        </span>
        {/* Time runs in the reading direction. */}
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="h-40 w-full border-b border-line-strong rtl:-scale-x-100"
        >
          {days.map(({ date, count }, index) => {
            const height = count === 0 ? 0 : Math.max(4, (count / highest) * HEIGHT);
            return (
              <g key={date.getTime()}>
                <title suppressHydrationWarning>
                  {common("labelled", { label: format.day(date), value: format.number(count) })}
                </title>
                {/* The whole column shows the tooltip, also above a low bar. */}
                <rect x={index * step} width={step} height={HEIGHT} fill="transparent" />
                <rect
                  x={index * step + GAP / 2}
                  y={HEIGHT - height}
                  width={step - GAP}
                  height={height}
                  fill="var(--color-accent)"
                />
              </g>
            );
          })}
        </svg>
        <span className="flex justify-between text-xs text-muted">
          {[days[0], days.at(-1)].map(
            (day) => day && <Formatted key={day.date.getTime()}>{format.day(day.date)}</Formatted>,
          )}
        </span>
      </div>
      {/* On the wrapper, because a table does not shrink to the one pixel of `sr-only`. */}
      <div className="sr-only">
        <table>
          <caption>{t("dashboard.signIns")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("dashboard.day")}</th>
              <th scope="col">{t("dashboard.signIns")}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, count }) => (
              <tr key={date.getTime()}>
                <th scope="row" suppressHydrationWarning>
                  {format.day(date)}
                </th>
                <td suppressHydrationWarning>{format.number(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
