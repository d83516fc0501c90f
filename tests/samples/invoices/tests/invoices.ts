import { insertRows } from "../../../../tests/support/insert.ts";
import type { Gatehouse } from "../../../../tests/support/worker.ts";
import { searchKey } from "../../../db/fold.ts";

/** A row of the table of invoices. */
export type InvoiceRow = {
  id: string;
  organization_id: string;
  created_by: string | null;
  number: string;
  customer: string;
  amount: string;
  due_on: string | null;
  status: string;
  notes: string | null;
  search_key: string;
  version: number;
  created_at: number;
  updated_at: number;
};

let made = 0;

/** Inserts an invoice; what is given replaces single columns. */
export async function anInvoice(
  gatehouse: Pick<Gatehouse, "d1">,
  given: Partial<InvoiceRow> & Pick<InvoiceRow, "organization_id">,
): Promise<InvoiceRow> {
  made += 1;
  const now = Date.now();
  const row = {
    id: crypto.randomUUID(),
    created_by: null,
    number: `Number ${made}`,
    customer: "Customer 1",
    amount: '{"amount":12050,"currency":"EUR"}',
    due_on: "2027-03-01",
    status: "draft",
    notes: "A longer note",
    version: 1,
    created_at: now,
    updated_at: now,
    ...given,
  };
  const whole = { search_key: searchKey(row.number), ...row };
  await insertRows(gatehouse.d1, "invoice", [whole]);
  return whole;
}

/** What the form of an invoice sends. */
export const TYPED = {
  number: "Number 1",
  customer: "Customer 1",
  amount: "120.50,EUR",
  dueOn: "2027-03-01",
  status: "draft",
  notes: "A longer note",
};

/** The same as a program sends it. */
export const SENT = {
  number: "Number 1",
  customer: "Customer 1",
  amount: { amount: 12050, currency: "EUR" },
  dueOn: "2027-03-01",
  status: "draft",
  notes: "A longer note",
};
