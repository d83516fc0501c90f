import { href } from "react-router";
import { AttentionPanel } from "../../features/dashboard/attention-panel.tsx";
import { Cards } from "../../features/dashboard/cards.tsx";
import { DeliveryPanel } from "../../features/dashboard/delivery-panel.tsx";
import { RecentActivity } from "../../features/dashboard/recent-activity.tsx";
import { SetUpListPanel } from "../../features/system/set-up-list.tsx";
import { TroubleItems } from "../../features/system/trouble-items.tsx";
import { FeaturePanels } from "../../features.ui.tsx";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { Panel, PanelLink } from "../../ui/layout/panel.tsx";
import { ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import type { Route } from "./+types/dashboard.ts";
import { readDashboardPage } from "./dashboard-page.server.ts";

export const handle = { i18n: ["manager", "events", "logs"] };

export function loader({ context, url }: Route.LoaderArgs) {
  return readDashboardPage(context, url);
}

export default function DashboardScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("manager");
  const { events, panels, deliveries, hasMail } = loaderData;
  const { since, setUpList, troubles, now } = loaderData;
  const hasTrends = hasMail || Object.keys(panels).length > 0;
  const columns = events && hasTrends ? "xl:grid-cols-[5fr_3fr]" : "";
  return (
    <div className="grid gap-4 md:gap-6">
      <ScreenTitle>{t("dashboard.title")}</ScreenTitle>
      <ScreenHeader title={t("dashboard.title")} />
      {setUpList && <SetUpListPanel list={setUpList} now={now} />}
      <Cards figures={loaderData} />
      <AttentionPanel {...loaderData}>
        {troubles.length > 0 && <TroubleItems troubles={troubles} />}
      </AttentionPanel>
      <div className={`grid items-start gap-4 md:gap-6 ${columns}`}>
        {hasTrends && (
          <div className="grid min-w-0 gap-4 md:gap-6">
            <FeaturePanels<"dashboard"> panels={panels} subject={{}} now={now} />
            {hasMail && <DeliveryPanel counts={deliveries} from={since.week} />}
          </div>
        )}
        {events && (
          <Panel
            title={t("dashboard.recent")}
            action={<PanelLink to={href("/manager/audit")}>{t("dashboard.seeAll")}</PanelLink>}
          >
            <RecentActivity events={events} now={now} />
          </Panel>
        )}
      </div>
    </div>
  );
}
