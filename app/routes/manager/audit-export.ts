import { href } from "react-router";
import { exportAuditLog } from "../../features/audit/audit-log.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { answerExport } from "../../lists/query/export-answer.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { describeDevice } from "../../values/user-agent.server.ts";
import type { Route } from "./+types/audit-export.ts";

const HEADER = [
  "when",
  "what",
  "who",
  "impersonator",
  "kind",
  "to whom",
  "place",
  "address",
  "device",
  "details",
];

/** Streams the audit events of the current search as a file of any size. */
export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "audit", "export", { next: href("/manager/audit") + url.search });
  const { db } = context.get(servicesContext);
  const { timeZone } = context.get(requestContext);
  const rows = exportAuditLog(db, url, describeDevice, timeZone);
  return answerExport(context, "audit", { header: HEADER, rows });
}
