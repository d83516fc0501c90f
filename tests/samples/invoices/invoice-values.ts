import { type Money, typedMoney } from "../../values/money.ts";
import type { STATUS_CHOICES } from "./invoice-limits.ts";

type Stored = {
  number: string;
  customer: string;
  amount: Money;
  dueOn: string | null;
  status: (typeof STATUS_CHOICES)[number];
  notes: string | null;
  version: number;
};

/** What the form of an invoice shows, by field: each as it is typed. */
export type InvoiceValues = {
  [Field in "number" | "customer" | "amount" | "dueOn" | "status" | "notes"]?: string;
};

/** Returns an invoice as its form shows it. */
export function valuesOf(row: Stored) {
  return {
    number: row.number,
    customer: row.customer,
    amount: typedMoney(row.amount),
    dueOn: row.dueOn ?? "",
    status: row.status,
    notes: row.notes ?? "",
    version: row.version,
  };
}
