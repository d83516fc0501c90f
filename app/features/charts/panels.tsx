import type { FeaturePanels, PanelProps } from "../../feature.ui.ts";
import type { ChartDay } from "./day-chart.tsx";
import type { chartsServer } from "./feature.server.ts";
import type { charts } from "./feature.ts";
import { Trends } from "./trends.tsx";

function DashboardTrends({ shown }: PanelProps<"dashboard", ChartDay[]>) {
  return <Trends days={shown} from={shown[0]?.date.toISOString().slice(0, 10) ?? ""} />;
}

export const chartPanels = { trends: DashboardTrends } satisfies FeaturePanels<
  typeof charts,
  typeof chartsServer
>;
