import { answerApi, onCall } from "../../../middleware/api-call.server.ts";
import { INVOICE_API } from "../api.ts";
import type { Route } from "./+types/api-invoices.ts";
import { apiInvoices } from "./invoice-answers.server.ts";

const HANDLERS = [
  onCall(INVOICE_API.listInvoices, (call) =>
    apiInvoices.list(call, call.query, {
      dueOnFrom: call.query.dueOnFrom,
      dueOnTo: call.query.dueOnTo,
      status: call.query.status,
    }),
  ),
  onCall(INVOICE_API.createInvoice, (call) => apiInvoices.create(call, call.body)),
];

export const loader = (args: Route.LoaderArgs) => answerApi(args, HANDLERS);
export const action = (args: Route.ActionArgs) => answerApi(args, HANDLERS);
