import { href } from "react-router";
import { invalidChoice, parseForm } from "../../../http/forms.server.ts";
import { requestContext } from "../../../http/request-context.ts";
import { forbidden } from "../../../http/responses.ts";
import { attemptBulk } from "../../../lists/bulk/bulk-run.ts";
import { callOf, requirePage, visitorOf } from "../../../middleware/organization-call.server.ts";
import { changeChosenRecords } from "../../../middleware/record-forms.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { roleCan } from "../../access/organization-permissions.ts";
import { OrganizationFrame } from "../../organizations/organization-frame.tsx";
import { frameOf, loadFrame, ownId } from "../../organizations/organization-page.server.ts";
import { phoneLinkOf } from "../../organizations/part-form.tsx";
import { INVOICE_ACTS } from "../acts.ts";
import { InvoicesChange } from "../input.ts";
import { invoiceList } from "../invoice-list.server.ts";
import { InvoiceList } from "../invoice-list.tsx";
import { CHOSEN, invoices, isOf } from "../invoices.server.ts";
import type { Route } from "./+types/invoices.ts";

export const handle = { i18n: ["organizations", "invoices", "records"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const { timeZone } = context.get(requestContext);
  const { now } = visitor;
  const isOwn = isOf(ownId(visitor));
  const read = { now, timeZone };
  const found = await invoiceList.loadWith(db, url, read, frameOf(visitor), isOwn);
  const page = found.beside ? { frame: found.beside } : await loadFrame(db, visitor);
  const { frame } = requirePage(page, url, params.slug);
  if (!roleCan(frame.role, "invoice", "read")) forbidden();
  return { ...found.loaded, frame, now };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await parseForm(request, InvoicesChange);
  if (!form.ok) return invalidChoice(form.result);
  const call = await callOf({ context, params }, INVOICE_ACTS[`${form.value.intent}-invoice`]);
  return changeChosenRecords(invoices, call, form.value, CHOSEN);
}

export const clientAction = attemptBulk;

export default function InvoicesScreen({ loaderData, actionData }: Route.ComponentProps) {
  const common = useTranslation().t;
  const { frame, rows, state, filters, now } = loaderData;
  const { slug, role } = frame;
  const isOpen = !frame.disabledAt && !frame.deletionDueAt;
  const mayDelete = isOpen && roleCan(role, "invoice", "delete");
  const pathOf = (id: string) =>
    href("/app/organizations/:slug/invoices/:invoice", { slug, invoice: id });
  return (
    <OrganizationFrame frame={frame} part="invoices">
      {/* Beside the rows that may be chosen the list says it. */}
      {!mayDelete && actionData && "error" in actionData && (
        <FormErrors errors={[actionData.error]} />
      )}
      <InvoiceList
        rows={rows}
        state={state}
        filters={filters}
        now={now}
        pathOf={pathOf}
        exportPath={href("/app/organizations/:slug/invoices/export", { slug })}
        {...phoneLinkOf("invoices", frame)}
        chosen={mayDelete ? { answer: actionData } : undefined}
        rowMenu={{
          nameOf: (row) => row.number,
          idOf: ({ id }) => id,
          screen: { icon: "scroll-text", pathOf: ({ id }) => pathOf(id) },
          links: ({ id }) => [
            isOpen &&
              roleCan(role, "invoice", "update") && {
                to: href("/app/organizations/:slug/invoices/:invoice/update", {
                  slug,
                  invoice: id,
                }),
                icon: "pencil",
                label: common("actions.edit"),
              },
          ],
          actions: () => [
            mayDelete && {
              intent: "delete",
              icon: "trash-2",
              label: common("actions.delete"),
              isDestructive: true,
            },
          ],
        }}
      />
    </OrganizationFrame>
  );
}
