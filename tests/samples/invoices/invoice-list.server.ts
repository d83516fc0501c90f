import { eq, type SQL, sql } from "drizzle-orm";
import { organization } from "../../db/schema/schema.ts";
import { readDayRange } from "../../lists/query/day-range.ts";
import { list } from "../../lists/query/list.server.ts";
import type { Source } from "../../lists/query/list-query.server.ts";
import { writeMoney } from "../../values/money.ts";
import { INVOICE_SORTS, STATUS_CHOICES } from "./invoice-limits.ts";
import { invoice } from "./tables.server.ts";

export const INVOICE_SOURCE: Source = {
  table: invoice,
  name: "invoice",
  title: invoice.number,
  first: invoice.updatedAt,
};

/** What lists and programs read of an invoice. */
const LISTED = {
  id: invoice.id,
  number: invoice.number,
  customer: invoice.customer,
  amount: invoice.amount,
  dueOn: invoice.dueOn,
  status: invoice.status,
  notes: invoice.notes,
  version: invoice.version,
  createdAt: invoice.createdAt,
  updatedAt: invoice.updatedAt,
  organization: sql<string>`${organization.name}`.as("organization_name"),
};

/** Filters of the list, as its URL has them. */
export type InvoiceFilters = {
  status?: (typeof STATUS_CHOICES)[number] | undefined;
  dueOnFrom?: string | undefined;
  dueOnTo?: string | undefined;
};

/** The invoices of screens and programs. */
export const invoiceList = list({
  source: INVOICE_SOURCE,
  select: (db, where, order) =>
    db
      .select(LISTED)
      .from(invoice)
      .innerJoin(organization, eq(organization.id, invoice.organizationId))
      .where(where)
      .orderBy(...order),
  sorts: INVOICE_SORTS,
  orders: {
    number: { by: sql`${invoice.number} COLLATE NOCASE`, valueOf: (row) => row.number },
    dueOn: { by: sql`coalesce(${invoice.dueOn}, '')`, valueOf: (row) => row.dueOn ?? "" },
    created: { by: invoice.createdAt, valueOf: ({ createdAt }) => createdAt.getTime() },
    updated: { by: invoice.updatedAt, valueOf: ({ updatedAt }) => updatedAt.getTime() },
  },
  readFilters: (url) => {
    const read = (name: string) => url.searchParams.get(name);
    const dueOn = readDayRange(url, { from: "dueOnFrom", to: "dueOnTo" });
    const filters: InvoiceFilters = {
      status: STATUS_CHOICES.find((choice) => choice === read("status")),
      dueOnFrom: dueOn.from,
      dueOnTo: dueOn.to,
    };
    return {
      filters,
      notices: [dueOn].some((range) => range.isMalformed) ? ["common:list.dayIgnored"] : [],
    };
  },
  meets: (filters) => ({
    filters: [
      filters.status && eq(invoice.status, filters.status),
      filters.dueOnFrom ? sql`${invoice.dueOn} >= ${filters.dueOnFrom}` : undefined,
      filters.dueOnTo ? sql`${invoice.dueOn} <= ${filters.dueOnTo}` : undefined,
    ].filter((condition): condition is SQL => condition !== undefined),
  }),
  show: (row) => row,
  file: {
    id: ({ id }) => id,
    number: (row) => row.number,
    customer: (row) => row.customer,
    amount: (row) => writeMoney(row.amount),
    dueOn: (row) => row.dueOn,
    status: (row) => row.status,
    notes: (row) => row.notes,
    created: ({ createdAt }) => createdAt,
    updated: ({ updatedAt }) => updatedAt,
    organization: (row) => row.organization,
  },
});
