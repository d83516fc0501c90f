import { DAY_MS, dayNumberOf } from "../../values/time.ts";
import { Formatted } from "./formatted.tsx";
import { Labelled } from "./labelled.tsx";
import { useDayFormat } from "./use-format.ts";

type DayBarsProps = {
  /** What is counted: "Calls a day, in UTC". */
  title: string;
  /** Names of the two counts. */
  good: string;
  bad: string;
  /** Counts by the number of the day (`dayNumberOf`). A missing day has none. */
  counts: readonly { day: number; good: number; bad: number }[];
  /** How many days are drawn. The last one is today, in UTC. */
  length: number;
  now: Date;
};

/** Two stacked bars for each day, drawn on the server. Screen readers get a list instead. */
export function DayBars({ title, good, bad, counts, length, now }: DayBarsProps) {
  const format = useDayFormat();
  const first = dayNumberOf(now) - length + 1;
  const days = Array.from({ length }, (_, index) => {
    const found = counts.find(({ day }) => day === first + index);
    return {
      date: new Date((first + index) * DAY_MS),
      good: found?.good ?? 0,
      bad: found?.bad ?? 0,
    };
  });
  const most = Math.max(1, ...days.map((one) => one.good + one.bad));
  const sumOf = (name: "good" | "bad") =>
    format.number(days.reduce((sum, one) => sum + one[name], 0));
  return (
    <figure className="grid gap-2 text-sm">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
        <span>{title}</span>
        <Count className="bg-accent" label={good} value={sumOf("good")} />
        <Count className="bg-danger-solid" label={bad} value={sumOf("bad")} />
      </figcaption>
      <div aria-hidden="true" className="flex h-16 items-end gap-0.5 border-b border-line-strong">
        {days.map((one) => (
          <div
            key={one.date.getTime()}
            className="flex h-full grow flex-col justify-end"
            title={`${format.day(one.date)} · ${format.number(one.good + one.bad)}`}
            suppressHydrationWarning
          >
            <Bar part={one.bad / most} className="bg-danger-solid" />
            <Bar part={one.good / most} className="bg-accent" />
          </div>
        ))}
      </div>
      <div aria-hidden="true" className="flex justify-between text-xs text-muted">
        {days.length > 1 &&
          [days[0], days.at(-1)].map(
            (one) =>
              one && (
                <span key={one.date.getTime()} suppressHydrationWarning>
                  {format.day(one.date)}
                </span>
              ),
          )}
      </div>
      <ul className="sr-only">
        {days
          .filter((one) => one.good + one.bad > 0)
          .map((one) => (
            <li key={one.date.getTime()} suppressHydrationWarning>
              {`${format.day(one.date)}, ${good} ${format.number(one.good)}, ${bad} ${format.number(one.bad)}`}
            </li>
          ))}
      </ul>
    </figure>
  );
}

/** A part of the plot's height. A small count keeps a visible bar. */
function Bar({ part, className }: { part: number; className: string }) {
  if (part === 0) return null;
  return <span className={`block min-h-0.5 ${className}`} style={{ height: `${part * 100}%` }} />;
}

function Count({ className, label, value }: { className: string; label: string; value: string }) {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className={`inline-block size-3 rounded-xs ${className}`} />
      <span>
        <Labelled label={label}>
          <Formatted>{value}</Formatted>
        </Labelled>
      </span>
    </span>
  );
}
