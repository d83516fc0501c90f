import { href } from "react-router";
import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { ListBreadcrumb } from "../../../lists/table/list-breadcrumb.tsx";
import { requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { can } from "../../access/permissions.ts";
import { PermittedLink } from "../../access/use-can.tsx";
import { describeEvent, selectNewestEvents } from "../../audit/audit-log.server.ts";
import { EventsPanel } from "../../audit/events-panel.tsx";
import { InvoiceDetail } from "../invoice-detail.tsx";
import { detailOf, selectInvoice, selectOwner } from "../invoices.server.ts";
import type { Route } from "./+types/manager-invoice.ts";

const SHOWN_EVENTS = 10;

export const handle = { i18n: ["invoices", "records", "events", "logs"] };

export async function loader({ context, params }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "invoice", "read");
  const { db } = context.get(servicesContext);
  const mayReadEvents = can(user, "audit", "read");
  const [[row = notFound()], [owner], events] = await db.batch([
    selectInvoice(db, params.id, undefined),
    selectOwner(db, params.id),
    selectNewestEvents(db, mayReadEvents ? SHOWN_EVENTS : 0, { target: params.id }),
  ]);
  return {
    invoice: detailOf(row),
    owner,
    events: mayReadEvents ? events.map(describeEvent) : undefined,
    now: context.get(requestContext).now(),
  };
}

/** An invoice in the back-office, which reads it and changes nothing. */
export default function ManagerInvoiceScreen({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation("invoices");
  const { t: record } = useTranslation("records");
  const { invoice, owner, events, now } = loaderData;
  const { id, number: title } = invoice;
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenTitle>{title}</ScreenTitle>
      <ScreenHeader
        title={<bdi>{title}</bdi>}
        breadcrumb={<ListBreadcrumb to={href("/manager/invoices")} title={t("title")} />}
      >
        {owner && (
          <PermittedLink
            permission={["organization", "read"]}
            to={href("/manager/organizations/:id", { id: owner.id })}
            dir="auto"
            className="inline-flex min-h-control items-center text-accent-ink underline-offset-4 hover:underline"
          >
            {owner.name}
          </PermittedLink>
        )}
      </ScreenHeader>
      <InvoiceDetail invoice={invoice} now={now} />
      {events && (
        <EventsPanel
          title={record("activity")}
          emptyText={record("noActivity")}
          side="target"
          id={id}
          events={events}
        />
      )}
    </div>
  );
}
