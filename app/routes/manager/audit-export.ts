import { href } from "react-router";
import { events } from "../../features/audit/audit-log.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { answerExport } from "../../lists/query/export-answer.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/audit-export.ts";

/** Streams the audit events of the current search as a file of any size. */
export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "audit", "export", { next: href("/manager/audit") + url.search });
  const { db } = context.get(servicesContext);
  const { now, timeZone } = context.get(requestContext);
  return answerExport(context, "audit", events.export(db, url, { now: now(), timeZone }));
}
