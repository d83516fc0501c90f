import { requestContext } from "../../../http/request-context.ts";
import { forbidden } from "../../../http/responses.ts";
import { answerExport } from "../../../lists/query/export-answer.ts";
import { requirePage, visitorOf } from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { roleCan } from "../../access/organization-permissions.ts";
import { loadFrame } from "../../organizations/organization-page.server.ts";
import { invoiceList } from "../invoice-list.server.ts";
import { isOf } from "../invoices.server.ts";
import type { Route } from "./+types/invoices-export.ts";

/** Streams the invoices of the current search as a file of any size. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const { frame } = requirePage(await loadFrame(db, visitor), url, params.slug);
  if (!roleCan(frame.role, "invoice", "read")) forbidden();
  const reader = { now: visitor.now, timeZone: context.get(requestContext).timeZone };
  const isOwn = isOf(frame.id);
  return answerExport(context, "invoices", invoiceList.export(db, url, reader, isOwn));
}
