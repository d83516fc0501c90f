import { and, eq, type SQL } from "drizzle-orm";
import type { Db } from "../../db/db.server.ts";
import { searchKey } from "../../db/fold.ts";
import { organization } from "../../db/schema/schema.ts";
import { ofOrganization } from "../organizations/organization-rows.server.ts";
import type { OwnedErrors } from "../owned/owned-errors.ts";
import { ownedRows, RECORD_WORDS } from "../owned/owned-rows.server.ts";
import type { InvoiceInput } from "./input.ts";
import { MOST_ROWS } from "./invoice-limits.ts";
import { invoice } from "./tables.server.ts";

/** How invoices are written. */
export const invoices = ownedRows({
  table: invoice,
  owner: ofOrganization(invoice.organizationId, {
    create: ["invoice", "create"],
    update: ["invoice", "update"],
    delete: ["invoice", "delete"],
    restore: ["invoice", "delete"],
  }),
  kind: "invoice",
  events: {
    create: "invoice.created",
    update: "invoice.updated",
    delete: "invoice.deleted",
    restore: "invoice.restored",
  },
  columns: (input: InvoiceInput) => ({
    ...input,
    searchKey: searchKey(input.number, input.customer, input.notes),
  }),
  told: ["number", "customer", "amount", "dueOn", "status", "notes"],
  unique: invoice.number,
  most: MOST_ROWS,
});

/** What a form and a program are told of a refused save. */
export const INVOICE_ERRORS: OwnedErrors = {
  taken: { field: "number" },
};

/** What the list says of chosen invoices. */
export const CHOSEN = { name: invoice.number, words: RECORD_WORDS };

/** SQL condition: invoices of an organization. */
export function isOf(organizationId: SQL<string> | string): SQL {
  return eq(invoice.organizationId, organizationId);
}

/** Statement for the organization of an invoice. */
export function selectOwner(db: Db, id: string) {
  return db
    .select({ id: organization.id, name: organization.name })
    .from(organization)
    .innerJoin(invoice, eq(invoice.organizationId, organization.id))
    .where(eq(invoice.id, id));
}

/** Statement that finds an invoice which meets the condition. */
export function selectInvoice(db: Db, id: string, within: SQL | undefined) {
  return db
    .select()
    .from(invoice)
    .where(and(eq(invoice.id, id), within));
}

export type Invoice = Awaited<ReturnType<typeof selectInvoice>>[number];

export async function findInvoice(
  db: Db,
  id: string,
  within: SQL | undefined,
): Promise<Invoice | undefined> {
  const [row] = await selectInvoice(db, id, within);
  return row;
}

/** Returns what the screen of an invoice shows. */
export function detailOf(row: Invoice) {
  const { id, number, customer, amount, dueOn, status, notes, createdAt, updatedAt } = row;
  return { id, number, customer, amount, dueOn, status, notes, createdAt, updatedAt };
}
