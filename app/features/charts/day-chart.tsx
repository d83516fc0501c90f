import "./chart.css";
import type { KeyboardEvent, ReactNode } from "react";
import { aroundValues } from "../../ui/text/around-values.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useDayFormat } from "../../ui/text/use-format.ts";
import { barsPath, gridlines, isDated, lastBar } from "./chart-scale.ts";

export type ChartDay = { date: Date; signIns: number; signUps: number; wrongCodes: number };

export const SERIES = ["signIns", "signUps", "wrongCodes"] as const;
export type Series = (typeof SERIES)[number];

/** A series with fewer events than this in the period is a sentence: its bars would say nothing. */
const FEWEST_DRAWN = 10;

type DayChartProps = {
  days: ChartDay[];
  /** Beside the title of each series. */
  totals: Record<Series, ReactNode>;
};

/** The series with enough events for a chart. */
export function drawnSeries(days: ChartDay[]): Series[] {
  return SERIES.filter((series) => days.reduce((sum, day) => sum + day[series], 0) >= FEWEST_DRAWN);
}

/**
 * Bar charts of sign-ins, sign-ups and wrong codes by day, drawn by the server. One above the other, because sign-ins
 * would hide the rest in a common scale. The last day is today and is hatched, because it is not over.
 */
export function DayChart({ days, totals }: DayChartProps) {
  const { t } = useTranslation("manager");
  const drawn = drawnSeries(days);
  if (drawn.length === 0) return null;
  return (
    <figure className="@container text-xs text-muted">
      <Today day={days.at(-1)} />
      <div className="chart" style={{ "--days": days.length }}>
        {drawn.map((series, index) => (
          <div key={series} id={`chart-${series}`} className="chart-plot">
            <div className="chart-head flex flex-wrap items-baseline justify-between gap-x-4">
              <h3 className="text-sm font-medium text-ink">{t(`dashboard.chart.${series}`)}</h3>
              {totals[series]}
            </div>
            <Bars values={days.map((day) => day[series])} mostLines={index === 0 ? 3 : 2} />
          </div>
        ))}
        <DayColumns days={days} />
        <Dates days={days} />
      </div>
    </figure>
  );
}

/**
 * The figures of today. Those of a chosen day cover them. Screen readers read all of them in the
 * columns.
 */
function Today({ day }: { day: ChartDay | undefined }) {
  const { t } = useTranslation("manager");
  const format = useDayFormat();
  const labels = useSeriesLabels();
  if (!day) return null;
  return (
    <p className="chart-now" aria-hidden="true">
      <b>{t("dashboard.chart.today")}</b>
      {labels.map(({ series, around: [before, after] }) => (
        <span key={series}>
          {before}
          <b suppressHydrationWarning>{format.number(day[series])}</b>
          {after}
        </span>
      ))}
    </p>
  );
}

/** The series' names with a place for a value. */
function useSeriesLabels() {
  const { t } = useTranslation("manager");
  const common = useTranslation().t;
  return SERIES.map((series) => ({
    series,
    around: aroundValues((value) =>
      common("labelled", { label: t(`dashboard.series.${series}`), value }),
    ),
  }));
}

/** The pattern that hatches today's bars. */
export function Hatching() {
  return (
    <svg width="14" height="14" aria-hidden="true" className="chart-key">
      <pattern
        id="chart-hatching"
        width="4"
        height="4"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="1.5" height="4" />
      </pattern>
      <rect x="1" y="1" width="12" height="12" className="chart-today" />
    </svg>
  );
}

/** The bars of one series over its gridlines, with the numbers of the gridlines. */
function Bars({ values, mostLines }: { values: number[]; mostLines: number }) {
  const format = useDayFormat();
  const lines = gridlines(Math.max(...values), mostLines);
  const top = lines.at(-1) ?? 1;
  const days = values.length;
  return (
    <>
      <div className="chart-numbers" aria-hidden="true">
        {[0, ...lines].reverse().map((line) => (
          <span key={line} suppressHydrationWarning>
            {format.number(line)}
          </span>
        ))}
      </div>
      <svg className="chart-bars" aria-hidden="true">
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${days} 1`}
          preserveAspectRatio="none"
          width="100%"
          height="100%"
          overflow="visible"
        >
          <path
            d={lines.map((line) => `M0 ${1 - line / top}h${days}`).join("")}
            className="chart-lines"
          />
          <path d={barsPath(values.slice(0, -1), top)} />
          <path d={`M0 1h${days}`} className="chart-zero" />
        </svg>
        <rect {...lastBar(values.at(-1) ?? 0, top, days)} className="chart-today" />
      </svg>
    </>
  );
}

/**
 * One column for each day over all charts, with a tooltip that opens on hover, focus and tap, also without scripts. Tab
 * reaches today, and the arrow keys the other days.
 */
function DayColumns({ days }: { days: ChartDay[] }) {
  const { t } = useTranslation("manager");
  const format = useDayFormat();
  // Written once, because the same three labels stand in the tooltip of each day.
  const labels = useSeriesLabels();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls of a form
    <div
      role="group"
      aria-label={t("dashboard.chart.columns")}
      className="chart-days"
      onKeyDown={moveFocus}
    >
      {days.map((day, index) => {
        const date = format.day(day.date);
        const figures = labels.map((label) => ({
          ...label,
          value: format.number(day[label.series]),
        }));
        const inWords = figures.map(({ around, value }) => around.join(value));
        return (
          <span
            key={day.date.getTime()}
            role="img"
            aria-label={[date, ...inWords].join(" · ")}
            tabIndex={index === days.length - 1 ? 0 : -1}
            className="chart-day"
            suppressHydrationWarning
          >
            <span className="chart-tip">
              <b suppressHydrationWarning>{date}</b>
              {figures.map(({ series, around: [before, after], value }) => (
                <span key={series}>
                  {before}
                  <b suppressHydrationWarning>{value}</b>
                  {after}
                </span>
              ))}
            </span>
          </span>
        );
      })}
    </div>
  );
}

/** Moves the focus between days with the arrow keys, Home and End, and closes the tooltip with Escape. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const { key, target, currentTarget } = event;
  if (!(target instanceof HTMLElement)) return;
  if (key === "Escape") return target.blur();
  const isRightToLeft = getComputedStyle(currentTarget).direction === "rtl";
  const [back, on] = isRightToLeft ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
  const next = {
    [back]: target.previousElementSibling,
    [on]: target.nextElementSibling,
    Home: currentTarget.firstElementChild,
    End: currentTarget.lastElementChild,
  }[key];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}

function Dates({ days }: { days: ChartDay[] }) {
  const format = useDayFormat();
  return (
    <div className="chart-dates" data-long={days.length > 30 || undefined} aria-hidden="true">
      {days.map(
        ({ date }, index) =>
          isDated(index, days.length) && (
            <span
              key={date.getTime()}
              style={{ gridColumn: index + 2, gridRow: 1 }}
              suppressHydrationWarning
            >
              {format.shortDay(date)}
            </span>
          ),
      )}
    </div>
  );
}
