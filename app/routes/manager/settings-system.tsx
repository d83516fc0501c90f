import { readAttention } from "../../features/dashboard/attention.server.ts";
import { AttentionPanel } from "../../features/dashboard/attention-panel.tsx";
import { listGaps } from "../../features/system/set-up.ts";
import { SystemPage, TroubleCures } from "../../features/system/system-screen.tsx";
import { SetUpItem } from "../../features/system/trouble-items.tsx";
import { listTroubles } from "../../features/system/troubles.ts";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { getSystemStatus } from "../../middleware/system-status.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/settings-system.ts";

export const handle = { i18n: ["settings", "system", "logs"] };

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "system", "read");
  const { db, config, avatars, features } = context.get(servicesContext);
  const { timeZone, now } = context.get(requestContext);
  const [status, attention] = await Promise.all([
    getSystemStatus(context),
    readAttention(db, features.toDo, timeZone, now()),
  ]);
  return {
    status,
    attention,
    troubles: listTroubles(status),
    gaps: listGaps(config, avatars !== undefined),
    build: { version: __BUILD__.version, commit: __BUILD__.commit, time: __BUILD__.time },
  };
}

export default function SystemScreen({ loaderData }: Route.ComponentProps) {
  const { attention, troubles, ...system } = loaderData;
  const { status, gaps } = system;
  return (
    <SystemPage {...system}>
      <AttentionPanel {...attention} now={status.now}>
        {troubles.length > 0 && <TroubleCures troubles={troubles} />}
        {gaps.length > 0 && <SetUpItem count={gaps.length} />}
      </AttentionPanel>
    </SystemPage>
  );
}
