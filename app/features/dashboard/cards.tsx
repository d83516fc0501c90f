import { href } from "react-router";
import { isolateLtr } from "../../ui/text/isolate.ts";
import { useText, useTranslation } from "../../ui/text/translation.tsx";
import { useFormat } from "../../ui/text/use-format.ts";
import { FIGURES } from "../access/things.ts";
import { Card, CardNote } from "./card.tsx";
import type { Overview } from "./overview.server.ts";

type CardsProps = { figures: Overview };

/** The main figures of the dashboard. */
export function Cards({ figures }: CardsProps) {
  const { t } = useTranslation("manager");
  const text = useText();
  const format = useFormat();
  const { newIn7Days, growth, organizations, since } = figures;
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
        <Growth growth={growth} />
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
      </Card>
      <Card
        label={t("dashboard.signInsToday")}
        value={figures.signInsToday}
        permission={["audit", "read"]}
        to={`${href("/manager/audit")}?action=user.signed_in&from=${since.today}`}
      />
      {ofFeatures.map(({ label, needs, to, value }, position) => (
        <Card key={label} label={text(label)} value={value} permission={needs} to={to}>
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
        />
      )}
    </dl>
  );
}

/** Shows how much the number of new users has changed since the week before. Shows nothing if it has not changed. */
function Growth({ growth }: { growth: number | undefined }) {
  const { t } = useTranslation("manager");
  const format = useFormat();
  if (!growth) return null;
  const percent = format.percent(Math.abs(growth));
  const tone = growth > 0 ? "bg-success-fill text-success" : "bg-fill text-muted";
  const text = t("dashboard.growth", {
    change: isolateLtr(`${growth < 0 ? "−" : "+"}${percent}`),
  });
  return (
    <span
      title={text}
      className={`relative rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tone}`}
      suppressHydrationWarning
    >
      <span className="sr-only" suppressHydrationWarning>
        {text}
      </span>
      <bdi aria-hidden="true" suppressHydrationWarning>
        {`${growth < 0 ? "▼" : "▲"} ${percent}`}
      </bdi>
    </span>
  );
}
