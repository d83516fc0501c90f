import type { FeatureRoute } from "../../feature.ts";

export const invoiceRoutes = [
  { in: "organization", path: "invoices", file: "invoices.tsx" },
  { in: "organization", path: "invoices/new", file: "invoice-new.tsx" },
  { in: "organization", path: "invoices/export", file: "invoices-export.ts" },
  { in: "organization", path: "invoices/:invoice", file: "invoice.tsx" },
  { in: "organization", path: "invoices/:invoice/update", file: "invoice-update.tsx" },
  { in: "manager", path: "invoices", file: "manager-invoices.tsx" },
  { in: "manager", path: "invoices/:id", file: "manager-invoice.tsx" },
  { in: "manager-files", path: "invoices/export", file: "manager-invoices-export.ts" },
  { in: "root", path: "api/v1/invoices", file: "api-invoices.ts" },
  { in: "root", path: "api/v1/invoices/:id", file: "api-invoice.ts" },
] as const satisfies readonly FeatureRoute[];
