import { href } from "react-router";
import { useTranslation } from "../../ui/translation.tsx";
import { Figure } from "./figure.tsx";
import type { readOverview } from "./overview.server.ts";

type Overview = Awaited<ReturnType<typeof readOverview>>;

type FiguresProps = { figures: Omit<Overview, "events" | "signIns" | "countedAt"> };

/** Figures of the dashboard, each with a link to the list that shows what it counts. */
export function Figures({ figures }: FiguresProps) {
  const { t } = useTranslation("manager");
  const { newIn7Days, newIn30Days, wrongCodes, since } = figures;
  const users = (search: Record<string, string> = {}) => listPath(href("/manager/users"), search);
  const mails = (search: Record<string, string>) => listPath(href("/manager/mail"), search);
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure label={t("dashboard.users")} value={figures.users} to={users()} />
      <Figure
        label={t("dashboard.newIn7Days")}
        {...change(newIn7Days)}
        to={users({ from: since.week })}
      />
      <Figure
        label={t("dashboard.newIn30Days")}
        {...change(newIn30Days)}
        to={users({ from: since.month })}
      />
      <Figure
        label={t("dashboard.organizations")}
        value={figures.organizations}
        to={href("/manager/organizations")}
      />
      <Figure
        label={t("dashboard.repositories")}
        value={figures.repositories}
        to={href("/manager/repositories")}
      />
      <Figure
        label={t("dashboard.activeToday")}
        value={figures.activeToday}
        to={users({ seenFrom: since.today, sort: "seen" })}
      />
      <Figure
        label={t("dashboard.activeThisWeek")}
        value={figures.activeThisWeek}
        to={users({ seenFrom: since.week, sort: "seen" })}
      />
      <Figure
        label={t("dashboard.activeThisMonth")}
        value={figures.activeThisMonth}
        to={users({ seenFrom: since.month, sort: "seen" })}
      />
      <Figure
        label={t("dashboard.banned")}
        value={figures.banned}
        to={users({ status: "banned" })}
      />
      <Figure
        label={t("dashboard.notOnboarded")}
        value={figures.notOnboarded}
        to={users({ status: "not-onboarded" })}
      />
      <Figure
        label={t("dashboard.codesSent")}
        value={figures.codesSent}
        note={wrongCodes === null ? undefined : t("dashboard.wrongCodes", { count: wrongCodes })}
        to={mails({ kind: "login-code", state: "sent", from: since.today })}
      />
      <Figure
        label={t("dashboard.codesFailed")}
        value={figures.codesFailed}
        to={mails({ kind: "login-code", state: "failed", from: since.today })}
      />
      <Figure
        label={t("dashboard.mailsWaiting")}
        value={figures.mailsWaiting}
        to={mails({ state: "waiting" })}
      />
      <Figure
        label={t("dashboard.mailsFailed")}
        value={figures.mailsFailed}
        to={mails({ state: "failed" })}
      />
    </dl>
  );
}

function change({ count, before }: { count: number; before: number | null }) {
  return { value: count, before: before ?? undefined };
}

function listPath(path: string, search: Record<string, string>): string {
  const params = new URLSearchParams(search);
  return params.size > 0 ? `${path}?${params}` : path;
}
