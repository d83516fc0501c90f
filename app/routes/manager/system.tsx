import { listGaps } from "../../features/system/set-up.ts";
import { readSystemStatus } from "../../features/system/status.server.ts";
import { SystemPage } from "../../features/system/system-screen.tsx";
import { listTroubles } from "../../features/system/troubles.ts";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/system.ts";

export const handle = { i18n: "system" };

export async function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "system", "read");
  const { db, config, avatars } = context.get(servicesContext);
  const status = await readSystemStatus(db, config, context.get(requestContext).now());
  return {
    status,
    troubles: listTroubles(status),
    gaps: listGaps(config, avatars !== undefined),
  };
}

export default function SystemScreen({ loaderData }: Route.ComponentProps) {
  return <SystemPage {...loaderData} />;
}
