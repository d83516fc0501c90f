import type { RouterContextProvider } from "react-router";
import { can, mayDo } from "../../features/access/permissions.ts";
import { readOverview } from "../../features/dashboard/overview.server.ts";
import { readSystemStatus } from "../../features/system/status.server.ts";
import { listTroubles } from "../../features/system/troubles.ts";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { openPanels } from "../../middleware/panels.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";

export async function readDashboardPage(context: Readonly<RouterContextProvider>, url: URL) {
  const { user } = requirePermission(context, "dashboard", "read");
  const { db, config, features } = context.get(servicesContext);
  const request = context.get(requestContext);
  const now = request.now();
  const panels = openPanels(context, "dashboard", "", { search: url.searchParams });
  const asked = {
    panels: panels.statements,
    isAuditShown: can(user, "audit", "read"),
    timeZone: request.timeZone,
    toDo: features.toDo,
  };
  const [{ overview, ofPanels }, status] = await Promise.all([
    readOverview(db, asked, now),
    can(user, "system", "read") ? readSystemStatus(db, config, features.attention, now) : undefined,
  ]);
  const troubles = status ? listTroubles(status) : [];
  return {
    ...overview,
    panels: panels.results(ofPanels, (needs) => mayDo(user, needs)),
    troubles,
    hasTroubles: troubles.length > 0,
    // Without the provider's webhook nothing is known of the mails; a demonstration sends none.
    hasMail: !config.isDemo && config.mail.webhookSecret !== undefined,
    now,
  };
}
