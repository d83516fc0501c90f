import { href } from "react-router";
import { requestContext } from "../../../http/request-context.ts";
import { answerExport } from "../../../lists/query/export-answer.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { invoiceList } from "../invoice-list.server.ts";
import type { Route } from "./+types/manager-invoices-export.ts";

/** Streams the invoices of all organizations and of the current search as a file of any size. */
export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "invoice", "export", { next: href("/manager/invoices") + url.search });
  const { db } = context.get(servicesContext);
  const { now, timeZone } = context.get(requestContext);
  const rows = invoiceList.export(db, url, { now: now(), timeZone });
  return answerExport(context, "invoices", rows);
}
