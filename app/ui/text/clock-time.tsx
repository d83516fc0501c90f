import { useTranslation } from "./translation.tsx";
import { useFormat } from "./use-format.ts";
import { useTimeZone } from "./use-time-zone.ts";

/** A local time of day to the second, under a title with its day. The exact time is its description. */
export function ClockTime({ date }: { date: Date }) {
  const format = useFormat();
  return (
    <time
      dateTime={date.toISOString()}
      title={format.longMoment(date)}
      suppressHydrationWarning
      className="whitespace-nowrap text-muted tabular-nums"
    >
      {format.time(date)}
    </time>
  );
}

/** Says that the times of a list are in UTC. Local times need no such word. */
export function UtcNote() {
  const { t } = useTranslation();
  return useTimeZone() === "UTC" && <span className="text-sm text-muted">{t("timesInUtc")}</span>;
}

/** Returns a function that writes the local day of a time, as a title. */
export function useDayOf(): (date: Date) => string {
  const format = useFormat();
  return (date) => format.weekday(date);
}
