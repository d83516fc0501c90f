import { href } from "react-router";
import { isolateLtr } from "../../ui/text/isolate.ts";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { FIGURES } from "../access/things.ts";
import { Card, CardNote } from "./card.tsx";
import { growthOf } from "./days.ts";
import type { Overview } from "./overview.server.ts";

type CardsProps = { figures: Overview };

/** The main figures of the dashboard. */
export function Cards({ figures }: CardsProps) {
  const { t } = useTranslation("manager");
  const text = useText();
  const format = useFormat();
  const { newIn7Days, organizations, since } = figures;
  const users = (search: string) => `${href("/manager/users")}?${search}`;
  const ofFeatures = figures.counted.flatMap(({ counter, value }) => {
    const figure = FIGURES[counter];
    return figure ? [{ ...figure, value }] : [];
  });
  const counted = (count: number) => ({ count, formatted: format.number(count) });
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Card
        label={t("dashboard.users")}
        value={figures.users}
        permission={["user", "list"]}
        to={href("/manager/users")}
      >
        <CardNote permission={["user", "list"]} to={users(`from=${since.week}`)}>
          {t("dashboard.newIn7Days", { change: isolateLtr(format.signed(newIn7Days)) })}
        </CardNote>
        <Compared
          count={newIn7Days}
          before={figures.newBefore}
          text={(before) => t("dashboard.before.week", { before })}
        />
      </Card>
      <Card
        label={t("dashboard.activeToday")}
        value={figures.activeToday}
        permission={["user", "list"]}
        to={users(`seenFrom=${since.today}&sort=seen`)}
      >
        <CardNote permission={["user", "list"]} to={users(`seenFrom=${since.week}&sort=seen`)}>
          {t("dashboard.activeThisWeek", counted(figures.activeThisWeek))}
        </CardNote>
        <CardNote permission={["user", "list"]} to={users(`seenFrom=${since.month}&sort=seen`)}>
          {t("dashboard.activeThisMonth", counted(figures.activeThisMonth))}
        </CardNote>
        {/* Only the last visit of each user is stored, so nobody knows who was active before. */}
        <span>{t("dashboard.before.none")}</span>
      </Card>
      <Card
        label={t("dashboard.signInsToday")}
        value={figures.signInsToday}
        permission={["audit", "read"]}
        to={`${href("/manager/audit")}?action=user.signed_in&from=${since.today}`}
      >
        <Compared
          count={figures.signInsToday}
          before={figures.signInsYesterday}
          text={(before) => t("dashboard.before.yesterday", { before })}
        />
      </Card>
      {ofFeatures.map(({ label, needs, to, value, added }, position) => (
        <Card key={label} label={text(label)} value={value} permission={needs} to={to}>
          <Added action={added} figures={figures} />
          {position === 0 && (
            <CardNote permission={["organization", "read"]} to={href("/manager/organizations")}>
              {t("dashboard.organizations", counted(organizations))}
            </CardNote>
          )}
        </Card>
      ))}
      {ofFeatures.length === 0 && (
        <Card
          label={t("organizations")}
          value={organizations}
          permission={["organization", "read"]}
          to={href("/manager/organizations")}
        >
          <Added action="organization.created" figures={figures} />
        </Card>
      )}
    </dl>
  );
}

type AddedProps = CardsProps & { action: string };

/** The number of things added in 7 days, with a link to their events, beside the 7 days before. */
function Added({ action, figures }: AddedProps) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  const { lately, earlier } = figures.added[action] ?? NOTHING_ADDED;
  const change = `${format.signed(lately.count)}${lately.isMore ? "+" : ""}`;
  return (
    <>
      <CardNote
        permission={["audit", "read"]}
        to={`${href("/manager/audit")}?action=${action}&from=${figures.since.week}`}
      >
        {t("dashboard.newIn7Days", { change: isolateLtr(change) })}
      </CardNote>
      <Compared
        count={lately.count}
        before={earlier.count}
        isCounted={!lately.isMore && !earlier.isMore}
        text={(before) => t("dashboard.before.week", { before })}
      />
    </>
  );
}

const NOTHING_ADDED: Overview["added"][string] = { lately: { count: 0 }, earlier: { count: 0 } };

type ComparedProps = {
  count: number;
  before: number;
  /** False where counting stopped, so that the counts cannot be compared. */
  isCounted?: boolean;
  /** Writes the figure of the period before. */
  text: (before: string) => string;
};

/** The figure of the period before, and how much has changed since. */
function Compared({ count, before, isCounted = true, text }: ComparedProps) {
  const format = useFormat();
  const growth = isCounted ? growthOf(count, before) : undefined;
  const tone = (growth ?? 0) > 0 ? "bg-success-fill text-success" : "bg-fill text-muted";
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {!!growth && (
        <bdi
          className={`rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tone}`}
          suppressHydrationWarning
        >
          {`${growth < 0 ? "−" : "+"}${format.percent(Math.abs(growth))}`}
        </bdi>
      )}
      <span suppressHydrationWarning>
        {text(`${format.number(before)}${isCounted ? "" : "+"}`)}
      </span>
    </span>
  );
}
