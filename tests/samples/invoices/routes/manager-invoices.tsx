import { href } from "react-router";
import { answerList } from "../../../lists/query/list-answer.server.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { useCan } from "../../access/use-can.tsx";
import { invoiceList } from "../invoice-list.server.ts";
import { InvoiceList } from "../invoice-list.tsx";
import type { Route } from "./+types/manager-invoices.ts";

export const handle = { i18n: ["invoices", "records"] };

/** The invoices of all organizations. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "invoice", "read");
  const { db } = context.get(servicesContext);
  return answerList(context, url, {
    otherwise: { filters: {} },
    load: (reader) => invoiceList.load(db, url, reader),
  });
}

export default function ManagerInvoicesScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("invoices");
  const can = useCan();
  return (
    <div className="grid gap-4">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <ScreenHeader title={t("title")} />
      <InvoiceList
        {...loaderData}
        isOfSite
        pathOf={(id) => href("/manager/invoices/:id", { id })}
        exportPath={can("invoice", "export") ? href("/manager/invoices/export") : undefined}
      />
    </div>
  );
}
