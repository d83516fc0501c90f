import { ownActs } from "../access/act.ts";

/** What members do with the invoices of their organization. */
export const INVOICE_ACTS = ownActs({
  "create-invoice": { harmless: "Is recorded, and can be undone." },
  "update-invoice": { harmless: "Is recorded with what was there before." },
  "delete-invoice": { harmless: "Can be undone for 30 days." },
  "restore-invoice": { harmless: "Takes back a deletion." },
});
