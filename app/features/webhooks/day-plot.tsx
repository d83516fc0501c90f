import { Formatted } from "../../ui/text/formatted.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useDayFormat } from "../../ui/text/use-format.ts";
import { DAY_MS } from "../../values/time.ts";
import type { ShownDay } from "./deliveries.server.ts";
import { DELIVERY_DAYS } from "./limits.ts";

/** Attempts by day, accepted and failed, drawn by the server. The last day is today, in UTC. */
export function DayPlot({ days, now }: { days: ShownDay[]; now: Date }) {
  const { t } = useTranslation("webhooks");
  const format = useDayFormat();
  if (days.length === 0) return null;
  const today = Math.floor(now.getTime() / DAY_MS);
  const columns = Array.from({ length: DELIVERY_DAYS }, (_, at) => {
    const day = today - DELIVERY_DAYS + 1 + at;
    return days.find((one) => one.day === day) ?? { day, accepted: 0, failed: 0 };
  });
  const most = Math.max(...columns.map(({ accepted, failed }) => accepted + failed));
  const sumOf = (count: "accepted" | "failed") => columns.reduce((sum, one) => sum + one[count], 0);
  const say = ({ accepted, failed }: { accepted: number; failed: number }) =>
    t("plot.counts", { accepted: format.number(accepted), failed: format.number(failed) });
  return (
    <figure className="grid gap-2 text-sm">
      <figcaption className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
        <Formatted>{t("plot.title")}</Formatted>
        <Key className="bg-accent" />
        <Formatted>{t("plot.accepted", { formatted: format.number(sumOf("accepted")) })}</Formatted>
        <Key className="bg-danger-solid" />
        <Formatted>{t("plot.failed", { formatted: format.number(sumOf("failed")) })}</Formatted>
      </figcaption>
      <ol className="flex h-16 items-end gap-0.5 border-b border-line-strong">
        {columns.map((one) => (
          <li
            key={one.day}
            className="flex h-full grow flex-col justify-end"
            title={`${format.day(new Date(one.day * DAY_MS))}: ${say(one)}`}
            suppressHydrationWarning
          >
            {one.accepted + one.failed > 0 && (
              <span className="sr-only" suppressHydrationWarning>
                {`${format.day(new Date(one.day * DAY_MS))}: ${say(one)}`}
              </span>
            )}
            <Bar part={one.failed / most} className="bg-danger-solid" />
            <Bar part={one.accepted / most} className="bg-accent" />
          </li>
        ))}
      </ol>
    </figure>
  );
}

/** A part of the plot's height; one attempt of many is still seen. */
function Bar({ part, className }: { part: number; className: string }) {
  if (part === 0) return null;
  return (
    <span
      aria-hidden="true"
      className={`block min-h-0.5 ${className}`}
      style={{ height: `${part * 100}%` }}
    />
  );
}

function Key({ className }: { className: string }) {
  return (
    <span aria-hidden="true" className={`-me-3 inline-block size-3 rounded-xs ${className}`} />
  );
}
