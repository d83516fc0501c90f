import { z } from "zod";
import { PAGE_SIZES } from "../../lists/query/list-sizes.ts";
import { SEARCH_TERM_MAX_LENGTH } from "../../values/limits.ts";
import { MoneyJson } from "../../values/record-fields.ts";
import type { ApiEndpoint } from "../access/api-endpoint.ts";
import { ApiProblem } from "../access/api-problem.ts";
import { permissionAct } from "../access/proof.ts";
import { INVOICE_ACTS } from "./acts.ts";
import { InvoiceInput } from "./input.ts";
import { INVOICE_SORTS, STATUS_CHOICES } from "./invoice-limits.ts";

const ApiInvoice = z
  .object({
    id: z.string(),
    number: z.string(),
    customer: z.string(),
    amount: MoneyJson,
    dueOn: z.string().nullable(),
    status: z.enum(STATUS_CHOICES),
    notes: z.string().nullable(),
    /** Grows with each change. */
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Invoice" });

export type ApiInvoice = z.infer<typeof ApiInvoice>;

/** What programs send. */
const ApiInvoiceInput = InvoiceInput.extend({
  amount: MoneyJson,
});

/** Search params of the list: those of the screens, but a wrong value is refused. */
const ApiInvoiceQuery = z.object({
  searchTerm: z.string().trim().max(SEARCH_TERM_MAX_LENGTH).default(""),
  sort: z.enum(INVOICE_SORTS).default("updated"),
  direction: z.enum(["asc", "desc"]).default("desc"),
  status: z.enum(STATUS_CHOICES).optional(),
  dueOnFrom: z.iso.date().optional(),
  dueOnTo: z.iso.date().optional(),
  size: z.enum(PAGE_SIZES.map(String)).default(String(PAGE_SIZES[0])).describe("Rows of a page."),
  after: z
    .string()
    .max(2_000)
    .optional()
    .describe("The `next` of the page before, with the same other parameters."),
});

const ApiInvoicePage = z
  .object({
    invoices: z.array(ApiInvoice),
    total: z.object({
      count: z.int(),
      isCapped: z.boolean().describe("True when there are more than `count`."),
    }),
    next: z.string().nullable().describe("The next page's `after`; null on the last page."),
  })
  .meta({ id: "InvoicePage" });

const ApiInvoiceUpdate = ApiInvoiceInput.extend({
  version: z
    .int()
    .optional()
    .describe("The version that was read. Required without the header `If-Match`."),
});

/** A refusal; after a conflict with both invoices. */
const InvoiceProblem = ApiProblem.extend({
  yours: ApiInvoiceInput.partial().optional().describe("After a conflict: what was sent."),
  theirs: ApiInvoice.optional().describe("After a conflict: the invoice as it is now."),
}).meta({ id: "InvoiceProblem" });

const NOT_FOUND = [404, "INVOICE_NOT_FOUND"] as const;

const JSON_BODY = [
  [413, "PAYLOAD_TOO_LARGE"],
  [415, "UNSUPPORTED_MEDIA_TYPE"],
] as const;

/** The API of invoices. */
export const INVOICE_API = {
  listInvoices: {
    method: "GET",
    path: "/api/v1/invoices",
    summary: "List and search invoices",
    act: permissionAct(["invoice", "read"]),
    organization: ["invoice", "read"],
    query: ApiInvoiceQuery,
    answer: { status: 200, body: ApiInvoicePage },
    errors: [],
  },
  createInvoice: {
    method: "POST",
    path: "/api/v1/invoices",
    summary: "Create an invoice",
    act: INVOICE_ACTS["create-invoice"],
    organization: ["invoice", "create"],
    isOfOrganization: true,
    body: ApiInvoiceInput,
    headers: ["Idempotency-Key"],
    answer: { status: 201, body: ApiInvoice, headers: ["ETag", "Location"] },
    errors: [
      ...JSON_BODY,
      [409, "IDEMPOTENCY_KEY_IN_USE"],
      [409, "RECORD_LIMIT_REACHED"],
      [422, "IDEMPOTENCY_KEY_REUSED"],
    ],
  },
  getInvoice: {
    method: "GET",
    path: "/api/v1/invoices/{id}",
    summary: "Read an invoice",
    act: permissionAct(["invoice", "read"]),
    organization: ["invoice", "read"],
    answer: { status: 200, body: ApiInvoice, headers: ["ETag"] },
    errors: [NOT_FOUND],
  },
  updateInvoice: {
    method: "PUT",
    path: "/api/v1/invoices/{id}",
    summary: "Change an invoice",
    act: INVOICE_ACTS["update-invoice"],
    organization: ["invoice", "update"],
    isOfOrganization: true,
    body: ApiInvoiceUpdate,
    headers: ["If-Match"],
    answer: { status: 200, body: ApiInvoice, headers: ["ETag"] },
    errors: [...JSON_BODY, NOT_FOUND, [409, "CONFLICT"], [412, "PRECONDITION_FAILED"]],
    problem: InvoiceProblem,
  },
  deleteInvoice: {
    method: "DELETE",
    path: "/api/v1/invoices/{id}",
    summary: "Delete an invoice",
    act: INVOICE_ACTS["delete-invoice"],
    organization: ["invoice", "delete"],
    isOfOrganization: true,
    headers: ["If-Match"],
    requires: "If-Match",
    answer: { status: 204 },
    errors: [NOT_FOUND, [412, "PRECONDITION_FAILED"], [428, "PRECONDITION_REQUIRED"]],
    problem: InvoiceProblem,
  },
} as const satisfies Record<string, ApiEndpoint>;
