import {
  appScreen,
  closed,
  managerScreen,
  PROGRAM_CALL,
  provedFile,
} from "../../../../tests/support/access-rows.ts";
import type { FeatureTests } from "../../../../tests/support/feature-tests.ts";
import { anOrganization } from "../../../../tests/support/organizations.ts";
import { screensOf } from "../../../../tests/support/screen.ts";
import { INVOICE_ACTS } from "../acts.ts";
import { InvoiceChange, InvoiceInput, InvoicesChange, InvoiceUpdate } from "../input.ts";
import { anInvoice, TYPED } from "./invoices.ts";

const LIST = "/app/organizations/:slug/invoices";
const ONE = `${LIST}/:invoice`;
const OFFICE = "/manager/invoices";
const NEW = `${LIST}/new`;
const UPDATE = `${ONE}/update`;
const FILE = `${LIST}/export`;
const API = "/api/v1/invoices";
const NOBODY = "nobody-has-this";
/** Words that are the same in every language. */
const NAMED = { number: "zod-sample", customer: "zod-sample", notes: "zod-sample" };

type Ids = { slug: string; invoice: string };

export const facts = {
  access: {
    [LIST]: appScreen(404, 415),
    [NEW]: appScreen(404, 404, closed("/app/organizations/nothing-has-this/invoices/new")),
    [ONE]: appScreen(404, 415),
    [UPDATE]: appScreen(
      404,
      404,
      closed("/app/organizations/nothing-has-this/invoices/nothing-has-this/update"),
    ),
    [FILE]: appScreen(404, 405),
    [OFFICE]: managerScreen(200, 405),
    [`${OFFICE}/:id`]: managerScreen(404, 405),
    [`${OFFICE}/export`]: managerScreen(200, 405, provedFile(OFFICE)),
    [API]: PROGRAM_CALL,
    [`${API}/:id`]: PROGRAM_CALL,
  },
  managers: {
    [OFFICE]: ["admin", "support", "auditor"],
    [`${OFFICE}/:id`]: ["admin", "support", "auditor"],
    [`${OFFICE}/export`]: ["admin", "auditor"],
  },
  forms: {
    [LIST]: InvoicesChange,
    [NEW]: InvoiceInput,
    [ONE]: InvoiceChange,
    [UPDATE]: InvoiceUpdate,
    // For keys alone, which no session of a browser is.
    [API]: [],
    [`${API}/:id`]: [],
  },
  async fields(_aim, { d1, pattern, ids }) {
    if (!pattern.startsWith(LIST)) return {};
    const id = ids[ONE.slice(ONE.lastIndexOf("/invoices"))] ?? "";
    const version = await d1
      .prepare("SELECT version FROM invoice WHERE id = ?")
      .bind(id)
      .first<number>("version");
    return { ...TYPED, id, version: String(version) };
  },
  acts: {
    [LIST]: [
      [INVOICE_ACTS["delete-invoice"], { intent: "delete", id: NOBODY }],
      [INVOICE_ACTS["restore-invoice"], { intent: "restore", id: NOBODY }],
    ],
    [NEW]: [[INVOICE_ACTS["create-invoice"], {}]],
    [ONE]: [
      [INVOICE_ACTS["delete-invoice"], { intent: "delete" }],
      [INVOICE_ACTS["restore-invoice"], { intent: "restore" }],
    ],
    [UPDATE]: [[INVOICE_ACTS["update-invoice"], { version: "1" }]],
  },
  leftBehind: {
    "own:create-invoice": "An invoice, which its question of deletion names.",
    "own:update-invoice": "A title, which its question of deletion names.",
    "own:delete-invoice": "Nothing.",
    "own:restore-invoice": "What was there before.",
  },
  openFiles: [FILE],
  exports: { [`${OFFICE}/export`]: "invoice.export" },
  changes: {
    "an organization": [LIST, NEW, ONE, UPDATE],
    "what programs and the mail provider change": [API, `${API}/:id`],
  },
  // The value of the form is taken then.
  changedByOwner: [LIST, NEW, ONE],
  tables: ["invoice"],
  async urls(gatehouse, organization) {
    const owner = organization ?? (await anOrganization(gatehouse)).organization;
    const { id } = await anInvoice(gatehouse, {
      organization_id: owner.id,
      number: "Hidden thing",
    });
    return { "/invoices/:invoice": id, "/invoices/:id": id };
  },
  async seed(gatehouse, { organization: { id, slug } }): Promise<Ids> {
    const invoice = await anInvoice(gatehouse, { organization_id: id });
    return { slug, invoice: invoice.id };
  },
  screens: [
    ...screensOf<Ids>("owner", {
      invoices: ({ slug }) => `/app/organizations/${slug}/invoices`,
      "new-invoice": ({ slug }) => `/app/organizations/${slug}/invoices/new`,
      invoice: ({ slug, invoice }) => `/app/organizations/${slug}/invoices/${invoice}`,
      "update-invoice": ({ slug, invoice }) =>
        `/app/organizations/${slug}/invoices/${invoice}/update`,
    }),
    ...screensOf<Ids>("admin", {
      "manager-invoices": OFFICE,
      "manager-invoice": ({ invoice }) => `${OFFICE}/${invoice}`,
    }),
  ],
  async translated({ gatehouse, organization: { id, slug }, ofManager, ofUser }) {
    const invoice = await anInvoice(gatehouse, { organization_id: id, ...NAMED });
    const list = `/app/organizations/${slug}/invoices`;
    return [
      ["app, invoices", ofUser, (browser) => browser.get(list)],
      ["app, a new invoice", ofUser, (browser) => browser.get(`${list}/new`)],
      ["app, a bad invoice", ofUser, (browser) => browser.submit(`${list}/new`, {})],
      ["app, an invoice", ofUser, (browser) => browser.get(`${list}/${invoice.id}`)],
      ["app, change an invoice", ofUser, (b) => b.get(`${list}/${invoice.id}/update`)],
      ["manager, invoices", ofManager, (browser) => browser.get(OFFICE)],
      ["manager, an invoice", ofManager, (browser) => browser.get(`${OFFICE}/${invoice.id}`)],
    ];
  },
  personal: ["invoice"],
  async know(insert, { id, at, key }) {
    await insert("invoice", {
      id: key("invoice"),
      organization_id: key("org"),
      number: key("invoice"),
      customer: "Customer 1",
      amount: '{"amount":12050,"currency":"EUR"}',
      due_on: "2027-03-01",
      status: "draft",
      notes: "A longer note",
      search_key: key("invoice"),
      created_by: id,
      created_at: at,
      updated_at: at,
    });
  },
} satisfies FeatureTests<Ids>;
