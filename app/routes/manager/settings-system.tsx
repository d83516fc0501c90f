import { listGaps } from "../../features/system/set-up.ts";
import { SystemPage } from "../../features/system/system-screen.tsx";
import { listTroubles } from "../../features/system/troubles.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { getSystemStatus } from "../../middleware/system-status.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/settings-system.ts";

export const handle = { i18n: ["settings", "system"] };

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "system", "read");
  const { config, avatars } = context.get(servicesContext);
  const status = await getSystemStatus(context);
  return {
    status,
    troubles: listTroubles(status),
    gaps: listGaps(config, avatars !== undefined),
    build: { version: __BUILD__.version, commit: __BUILD__.commit, time: __BUILD__.time },
  };
}

export default function SystemScreen({ loaderData }: Route.ComponentProps) {
  return <SystemPage {...loaderData} />;
}
