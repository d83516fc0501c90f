import { desc, eq, sql } from "drizzle-orm";
import { ownRows } from "../../db/own-rows.server.ts";
import { readOf } from "../../db/read.server.ts";
import { member } from "../../db/schema/schema.ts";
import type { ServerFacts } from "../../feature.server.ts";
import { INVOICE_API } from "./api.ts";
import type { invoices } from "./feature.ts";
import { INVOICE_SOURCE } from "./invoice-list.server.ts";
import { sampleInvoices } from "./samples.server.ts";
import { invoice } from "./tables.server.ts";

/** Invoices that the overview of an organization shows. */
const SHOWN = 5;

export const invoicesServer = {
  samples: sampleInvoices,
  api: INVOICE_API,
  found: {
    invoice: { source: INVOICE_SOURCE, detail: invoice.customer },
  },
  panels: {
    "invoices-of-organization": (id) =>
      readOf(
        (db) =>
          db
            .select({
              id: invoice.id,
              title: invoice.number,
              updatedAt: invoice.updatedAt,
              count: sql<number>`count(*) OVER ()`.as("count"),
            })
            .from(invoice)
            .where(eq(invoice.organizationId, id))
            .orderBy(desc(invoice.updatedAt), desc(invoice.id))
            .limit(SHOWN),
        (rows) => ({
          rows: rows.map(({ id, title, updatedAt }) => ({ id, title, updatedAt })),
          count: rows[0]?.count ?? 0,
        }),
      ),
  },
  ownData: {
    invoices: ({ id }) =>
      ownRows(invoice, {
        // Who has left the organization gets nothing of it any more.
        where: sql`${invoice.createdBy} = ${id} AND ${invoice.organizationId} IN (
          SELECT ${member.organizationId} FROM ${member} WHERE ${member.userId} = ${id}
        )`,
        columns: [
          "id",
          "organizationId",
          "number",
          "customer",
          "amount",
          "dueOn",
          "status",
          "notes",
          "createdAt",
          "updatedAt",
        ],
      }),
  },
} satisfies ServerFacts<typeof invoices>;
