import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { Figures } from "../../features/dashboard/figures.tsx";
import { LastEvents } from "../../features/dashboard/last-events.tsx";
import { readOverview } from "../../features/dashboard/overview.server.ts";
import { SignInChart } from "../../features/dashboard/sign-in-chart.tsx";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import { useFormat } from "../../ui/use-format.ts";
import type { Route } from "./+types/dashboard.ts";

export const handle = { i18n: ["manager", "events", "logs"] };

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "apps", "manager");
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  return { ...(await readOverview(db, now)), now };
}

export default function DashboardScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  const { events, signIns, countedAt, now, ...figures } = loaderData;
  const audit = href("/manager/audit");
  const total = signIns.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="grid gap-6">
      <ScreenTitle>{t("dashboard.title")}</ScreenTitle>
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <h1 className="text-xl font-semibold">{t("dashboard.title")}</h1>
        <p className="text-xs text-muted" suppressHydrationWarning>
          {t("dashboard.utc")}{" "}
          {countedAt
            ? t("dashboard.counted", { ago: format.ago(countedAt, now) })
            : t("dashboard.notCounted")}
        </p>
      </div>
      <Figures figures={figures} />
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <Panel
          title={t("dashboard.signIns")}
          action={
            <More to={`${audit}?action=user.signed_in&from=${figures.since.chart}`}>
              {t("dashboard.inChart", { count: total, formatted: format.number(total) })}
            </More>
          }
        >
          <SignInChart days={signIns} />
        </Panel>
        <Panel
          title={t("dashboard.lastEvents")}
          action={<More to={audit}>{t("dashboard.seeAll")}</More>}
        >
          <LastEvents events={events} now={now} />
        </Panel>
      </div>
    </div>
  );
}

/** The link beside a panel's title. */
function More({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      suppressHydrationWarning
      className="inline-flex min-h-11 items-center text-sm text-accent-ink underline underline-offset-4"
    >
      {children}
    </Link>
  );
}
