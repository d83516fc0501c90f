import { formatLocaleOf, isLanguage } from "../../i18n/languages.ts";
import { useTranslation } from "../../ui/translation.tsx";

const WIDTH = 600;
const HEIGHT = 160;
const GAP = 4;

type SignInChartProps = { days: { date: Date; count: number }[] };

/** Sign-ins a day as bars, drawn by the server; the same numbers stand in a table for whoever cannot see them. */
export function SignInChart({ days }: SignInChartProps) {
  const { t, i18n } = useTranslation("manager");
  const locale = formatLocaleOf(isLanguage(i18n.language) ? i18n.language : "en");
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const highest = Math.max(1, ...days.map((day) => day.count));
  const step = WIDTH / days.length;
  return (
    <figure className="grid gap-2">
      {/* Time runs with the reading direction. */}
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="w-full rtl:-scale-x-100"
        aria-hidden="true"
      >
        {days.map(({ date, count }, index) => {
          const height = count === 0 ? 2 : Math.max(4, (count / highest) * (HEIGHT - 8));
          return (
            <rect
              key={date.getTime()}
              x={index * step + GAP / 2}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              rx="2"
              fill={count === 0 ? "var(--color-line)" : "var(--color-accent)"}
            >
              <title>{`${format.format(date)}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption aria-hidden="true" className="flex justify-between text-xs text-muted">
        {[days[0], days.at(-1)].map(
          (day) => day && <span key={day.date.getTime()}>{format.format(day.date)}</span>,
        )}
      </figcaption>
      {/* A table would not shrink to the one pixel that hides it. */}
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
                <th scope="row">{format.format(date)}</th>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
