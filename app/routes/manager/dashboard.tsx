import { href } from "react-router";
import { Figure } from "../../features/dashboard/figure.tsx";
import { readOverview } from "../../features/dashboard/overview.server.ts";
import { SignInChart } from "../../features/dashboard/sign-in-chart.tsx";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import { ScreenTitle } from "../../ui/document.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { useTranslation } from "../../ui/translation.tsx";
import type { Route } from "./+types/dashboard.ts";

export const handle = { i18n: ["manager", "events"] };

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "apps", "manager");
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  return { ...(await readOverview(db, now)), now };
}

export default function DashboardScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("manager");
  const { t: eventName } = useTranslation("events");
  const { events, signIns, now, ...figures } = loaderData;
  const users = href("/manager/users");
  const since = (days: number) =>
    `${users}?from=${new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10)}`;
  return (
    <div className="grid gap-6">
      <ScreenTitle>{t("dashboard.title")}</ScreenTitle>
      <h1 className="text-xl font-semibold">{t("dashboard.title")}</h1>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(10rem,1fr))] gap-3">
        <Figure label={t("dashboard.users")} value={figures.users} to={users} />
        <Figure label={t("dashboard.newIn7Days")} {...period(figures.newIn7Days)} to={since(7)} />
        <Figure
          label={t("dashboard.newIn30Days")}
          {...period(figures.newIn30Days)}
          to={since(30)}
        />
        <Figure
          label={t("dashboard.repositories")}
          value={figures.repositories}
          to={href("/manager/repositories")}
        />
        <Figure
          label={t("dashboard.activeToday")}
          value={figures.activeToday}
          to={`${users}?sort=seen`}
        />
        <Figure
          label={t("dashboard.activeThisWeek")}
          value={figures.activeThisWeek}
          to={`${users}?sort=seen`}
        />
        <Figure
          label={t("dashboard.activeThisMonth")}
          value={figures.activeThisMonth}
          to={`${users}?sort=seen`}
        />
        <Figure
          label={t("dashboard.banned")}
          value={figures.banned}
          to={`${users}?status=banned`}
        />
        <Figure
          label={t("dashboard.notOnboarded")}
          value={figures.notOnboarded}
          to={`${users}?status=not-onboarded`}
        />
        <Figure label={t("dashboard.codesSent")} value={figures.codesSent} />
        <Figure label={t("dashboard.codesFailed")} value={figures.codesFailed} />
        <Figure label={t("dashboard.mailsWaiting")} value={figures.mailsWaiting} />
        <Figure label={t("dashboard.mailsFailed")} value={figures.mailsFailed} />
      </dl>
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <section className="grid gap-4 rounded-md border border-line bg-panel p-6 shadow-low">
          <h2 className="text-base font-semibold">{t("dashboard.signIns")}</h2>
          <SignInChart days={signIns} />
        </section>
        <section className="grid gap-4 rounded-md border border-line bg-panel p-6 shadow-low">
          <h2 className="text-base font-semibold">{t("dashboard.lastEvents")}</h2>
          {events.length === 0 && <p className="text-sm text-muted">{t("dashboard.noEvents")}</p>}
          <ol className="grid gap-3 text-sm">
            {events.map((event) => (
              <li key={event.id} className="flex justify-between gap-3">
                <span className="grid">
                  <span>{eventName(event.action as "user.created")}</span>
                  <bdi className="text-muted">{event.target ?? event.actor}</bdi>
                </span>
                <span className="shrink-0 text-muted">
                  <RelativeTime date={event.createdAt} now={now} />
                </span>
              </li>
            ))}
          </ol>
        </section>
      </div>
    </div>
  );
}

function period({ count, before }: { count: number; before: number }) {
  return { value: count, before };
}
