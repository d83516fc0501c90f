import type texts from "../../../locales/en/invoices.json";
import { type FeatureFacts, textsOf } from "../../feature.ts";

/** The invoices of an organization: its members write them, and nobody else sees them but the back-office. */
export const invoices = {
  name: "invoices",
  texts: { invoices: textsOf<typeof texts>() },
  navigation: [
    {
      in: "manager",
      to: "/manager/invoices",
      needs: ["invoice", "read"],
      label: "manager:invoices",
      icon: "scroll-text",
    },
  ],
  parts: [
    {
      name: "invoices",
      to: "/app/organizations/:slug/invoices",
      label: "organizations:nav.invoices",
      after: "members",
      form: {
        opens: "/new",
        needs: ["invoice", "create"],
        label: "organizations:invoices.new",
        icon: "plus",
        isInList: true,
      },
    },
  ],
  panels: { "invoices-of-organization": { in: "organizationOverview" } },
  things: {
    invoice: {
      table: "invoice",
      title: "number",
      icon: "scroll-text",
      label: "common:invoices.all",
      to: "/manager/invoices/:id",
      needs: ["invoice", "read"],
    },
  },
  figures: {
    invoice: {
      to: "/manager/invoices",
      needs: ["invoice", "read"],
      label: "manager:dashboard.invoices",
      added: "invoice.created",
    },
  },
  permissions: { invoice: { read: ["support", "auditor"], export: ["auditor"] } },
  harmless: { "invoice.read": "Reads." },
  organizationPermissions: {
    invoice: {
      read: ["owner", "admin", "member"],
      create: ["owner", "admin", "member"],
      update: ["owner", "admin", "member"],
      delete: ["owner", "admin"],
    },
  },
  audit: {
    "invoice.created": {
      icon: "plus",
      fields: ["number", "customer", "amount", "dueOn", "status", "notes"],
      webhook: { type: "invoice.created", for: "all" },
    },
    "invoice.updated": {
      icon: "pencil",
      webhook: { type: "invoice.updated", for: "all" },
    },
    "invoice.deleted": {
      icon: "trash-2",
      webhook: { type: "invoice.deleted", for: "all" },
    },
    "invoice.restored": {
      icon: "rotate-cw",
      webhook: { type: "invoice.restored", for: "all" },
    },
  },
} as const satisfies FeatureFacts;
