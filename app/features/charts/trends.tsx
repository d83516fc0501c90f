import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { Panel, PanelLink } from "../../ui/layout/panel.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import type { Permission } from "../access/permissions.ts";
import { PermittedLink, useMay } from "../access/use-can.tsx";
import {
  type ChartDay,
  DayChart,
  drawnSeries,
  Hatching,
  SERIES,
  type Series,
} from "./day-chart.tsx";
import { DayTable } from "./day-table.tsx";
import { PERIODS } from "./periods.ts";

type TrendsProps = {
  days: ChartDay[];
  /** First day of the chart, for the links to the lists. */
  from: string;
};

/** Panel with the charts by day, links to other periods, and the numbers as a table. */
export function Trends({ days, from }: TrendsProps) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  const period = t("dashboard.chart.inPeriod", { count: days.length });
  const drawn = drawnSeries(days);
  const quiet = SERIES.filter((series) => !drawn.includes(series));
  /** A sentence for few events; beside a chart the number and the period. */
  const written = (series: Series) => {
    const count = days.reduce((sum, day) => sum + day[series], 0);
    const formatted = format.number(count);
    if (drawn.includes(series)) {
      return t("dashboard.chart.total", { total: formatted, count: days.length });
    }
    if (count === 0) return t(`dashboard.chart.none.${series}`, { period });
    return t(`dashboard.chart.few.${series}`, { count, formatted, period });
  };
  const link = (permission: Permission, to: string, text: string) => (
    <PermittedLink
      permission={permission}
      to={to}
      suppressHydrationWarning
      className="relative z-1 py-1 underline-offset-4 hover:text-ink hover:underline"
    >
      {text}
    </PermittedLink>
  );
  const totals = {
    signIns: link(
      ["audit", "read"],
      `${href("/manager/audit")}?action=user.signed_in&from=${from}`,
      written("signIns"),
    ),
    signUps: link(["user", "list"], `${href("/manager/users")}?from=${from}`, written("signUps")),
    wrongCodes: <WrongCodes>{written("wrongCodes")}</WrongCodes>,
  };
  return (
    <Panel title={t("dashboard.chart.title")} action={<Periods chosen={days.length} />}>
      <DayChart days={days} totals={totals} />
      <Quiet series={quiet} totals={totals} />
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <div className="min-w-0 grow">
          <Disclosure title={t("dashboard.chart.table")}>
            <DayTable days={days} />
          </Disclosure>
        </div>
        {drawn.length > 0 && (
          <p className="order-first flex min-h-control items-center gap-2 text-xs text-muted md:order-last">
            <Hatching />
            {t("dashboard.chart.today")}
          </p>
        )}
      </div>
    </Panel>
  );
}

/** The number of wrong codes, and the mails with the codes: whose code was wrong is not stored. */
function WrongCodes({ children }: { children: string }) {
  const { t } = useTranslation("manager");
  const may = useMay();
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <span className="py-1" suppressHydrationWarning>
        {children}
      </span>
      {may(["mail", "read"]) && (
        <PanelLink to={href("/manager/mail/sign-in")}>{t("dashboard.chart.codes")}</PanelLink>
      )}
    </span>
  );
}

type QuietProps = { series: Series[]; totals: Record<Series, ReactNode> };

/** The series with too few events for a chart, a sentence each. */
function Quiet({ series, totals }: QuietProps) {
  if (series.length === 0) return null;
  return (
    <ul className="grid gap-1 text-sm">
      {series.map((one) => (
        <li key={one}>{totals[one]}</li>
      ))}
    </ul>
  );
}

function Periods({ chosen }: { chosen: number }) {
  const { t } = useTranslation("manager");
  return (
    <nav aria-label={t("dashboard.chart.period")} className="flex rounded-md bg-fill p-0.5 text-sm">
      {PERIODS.map((days) => (
        <Link
          key={days}
          to={{ search: `?days=${days}` }}
          preventScrollReset
          aria-current={days === chosen ? "page" : undefined}
          className="inline-flex min-h-8 items-center rounded-md px-3 text-muted hover:text-ink aria-[current]:bg-raised aria-[current]:text-ink aria-[current]:shadow-low pointer-coarse:min-h-10"
        >
          {t("dashboard.chart.lastDays", { count: days })}
        </Link>
      ))}
    </nav>
  );
}
