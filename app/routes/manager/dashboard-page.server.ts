import type { RouterContextProvider } from "react-router";
import { can } from "../../features/access/permissions.ts";
import type { Period } from "../../features/dashboard/days.ts";
import { readOverview } from "../../features/dashboard/overview.server.ts";
import { listGaps } from "../../features/system/set-up.ts";
import { readSystemStatus } from "../../features/system/status.server.ts";
import { listTroubles } from "../../features/system/troubles.ts";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";

export async function readDashboardPage(context: Readonly<RouterContextProvider>, period: Period) {
  const { user } = requirePermission(context, "dashboard", "read");
  const { db, config, avatars, features } = context.get(servicesContext);
  const request = context.get(requestContext);
  const now = request.now();
  const asked = {
    period,
    isAuditShown: can(user, "audit", "read"),
    timeZone: request.timeZone,
    toDo: features.toDo,
  };
  const [overview, status] = await Promise.all([
    readOverview(db, asked, now),
    can(user, "system", "read") ? readSystemStatus(db, config, features.attention, now) : undefined,
  ]);
  const troubles = status ? listTroubles(status) : [];
  return {
    ...overview,
    troubles,
    hasTroubles: troubles.length > 0,
    openSteps: status ? listGaps(config, avatars !== undefined).length : 0,
    // Without the provider's webhook nothing is known of the mails; a demonstration sends none.
    hasMail: !config.isDemo && config.mail.webhookSecret !== undefined,
    now,
  };
}
