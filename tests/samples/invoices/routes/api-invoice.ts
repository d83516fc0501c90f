import { answerApi, onCall } from "../../../middleware/api-call.server.ts";
import { INVOICE_API } from "../api.ts";
import type { Route } from "./+types/api-invoice.ts";
import { apiInvoices } from "./invoice-answers.server.ts";

const HANDLERS = [
  onCall(INVOICE_API.getInvoice, apiInvoices.read),
  onCall(INVOICE_API.updateInvoice, (call) => apiInvoices.update(call, call.body)),
  onCall(INVOICE_API.deleteInvoice, apiInvoices.remove),
];

export const loader = (args: Route.LoaderArgs) => answerApi(args, HANDLERS);
export const action = (args: Route.ActionArgs) => answerApi(args, HANDLERS);
