import { searchKey } from "../../db/fold.ts";
import type { Samples } from "../samples/sample-data.server.ts";
import { organizationId, tablesOfOrganizations } from "../samples/sample-organizations.server.ts";
import { momentBefore, type Row, randomOf, sampleId, userId } from "../samples/sample-rows.ts";

/** Each organization of the sample has so many. */
const EACH = 12;

/** Sample invoices. */
export const sampleInvoices: Samples = (size, today) =>
  tablesOfOrganizations(size, today, {
    invoice: (organization) =>
      Array.from({ length: EACH }, (_, position) =>
        sampleInvoice(organization * EACH + position, today, {
          organization_id: organizationId(organization),
          created_by: userId(organization),
        }),
      ),
  });

function sampleInvoice(index: number, now: number, owner: Row): Row {
  const createdAt = momentBefore(now, randomOf("invoice", index));
  return {
    id: sampleId("invoice", index),
    ...owner,
    number: `Number ${index + 1}`,
    customer: `Customer ${index + 1}`,
    amount: JSON.stringify({ amount: 1_000 + index * 250, currency: "EUR" }),
    due_on: new Date(createdAt).toISOString().slice(0, 10),
    status: ["draft", "sent", "paid"][index % 3] ?? "draft",
    notes: "A note of a few words.",
    search_key: searchKey(`Number ${index + 1}`, `Customer ${index + 1}`, "A note of a few words."),
    created_at: createdAt,
    updated_at: createdAt,
  };
}
