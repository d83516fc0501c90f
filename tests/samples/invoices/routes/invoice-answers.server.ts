import { href } from "react-router";
import { apiRows } from "../../../middleware/api-rows.server.ts";
import { callOfKey } from "../../../middleware/organization-call.server.ts";
import type { ApiInvoice } from "../api.ts";
import { invoiceList } from "../invoice-list.server.ts";
import { findInvoice, INVOICE_ERRORS, type Invoice, invoices, isOf } from "../invoices.server.ts";

/** What programs are answered. */
export const apiInvoices = apiRows({
  rows: invoices,
  list: invoiceList,
  find: findInvoice,
  answer: invoiceAnswer,
  many: "invoices",
  pathOf: (id) => href("/api/v1/invoices/:id", { id }),
  notFound: "INVOICE_NOT_FOUND",
  errors: INVOICE_ERRORS,
  // The key of a manager reads those of all organizations.
  within: ({ holder: { organization } }) => (organization ? isOf(organization.id) : undefined),
  callOf: callOfKey,
});

type Shown = Pick<
  Invoice,
  | "number"
  | "customer"
  | "amount"
  | "dueOn"
  | "status"
  | "notes"
  | "id"
  | "version"
  | "createdAt"
  | "updatedAt"
>;

/** Returns an invoice as the API answers it. */
function invoiceAnswer(row: Shown): ApiInvoice {
  return {
    id: row.id,
    number: row.number,
    customer: row.customer,
    amount: row.amount,
    dueOn: row.dueOn,
    status: row.status,
    notes: row.notes,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
