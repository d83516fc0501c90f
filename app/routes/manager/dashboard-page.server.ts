import type { RouterContextProvider } from "react-router";
import { ask } from "../../db/read.server.ts";
import { can, mayDo } from "../../features/access/permissions.ts";
import { readOverview } from "../../features/dashboard/overview.server.ts";
import { readSetUp, setUpListOf } from "../../features/system/set-up-list.server.ts";
import { isListShown } from "../../features/system/set-up-list.ts";
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
  const isSettingUp = can(user, "settings", "update") && !config.isDemo;
  const steps = ask(db, isSettingUp ? { setUp: readSetUp(features.setUp) } : {});
  const asked = {
    beside: [...panels.statements, ...steps.statements],
    isAuditShown: can(user, "audit", "read"),
    timeZone: request.timeZone,
    toDo: features.toDo,
    readerId: user.id,
  };
  const [{ overview, beside }, status] = await Promise.all([
    readOverview(db, asked, now),
    can(user, "system", "read") ? readSystemStatus(db, config, features.attention, now) : undefined,
  ]);
  const troubles = status ? listTroubles(status) : [];
  const { setUp } = steps.results(beside.slice(panels.statements.length));
  const list = setUp && status && setUpListOf(config, setUp, status.mail);
  return {
    ...overview,
    panels: panels.results(beside, (needs) => mayDo(user, needs)),
    setUpList: list && isListShown(list) ? list : undefined,
    troubles,
    hasTroubles: troubles.length > 0,
    // Without the provider's webhook nothing is known of the mails; a demonstration sends none.
    hasMail: !config.isDemo && config.mail.webhookSecret !== undefined,
    now,
  };
}
