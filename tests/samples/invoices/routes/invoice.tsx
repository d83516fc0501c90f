import { href } from "react-router";
import { invalid, parseForm } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { forbidden, notFound } from "../../../http/responses.ts";
import { ListBreadcrumb } from "../../../lists/table/list-breadcrumb.tsx";
import { callOf, requirePage, visitorOf } from "../../../middleware/organization-call.server.ts";
import { changeRecord } from "../../../middleware/record-forms.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { FormErrors } from "../../../ui/forms/form-errors.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { ActionMenu } from "../../../ui/overlays/action-menu.tsx";
import { Icon } from "../../../ui/text/icon.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { WithOwnText } from "../../../ui/text/with-own-text.tsx";
import { roleCan } from "../../access/organization-permissions.ts";
import { StateNotices } from "../../organizations/organization-frame.tsx";
import { loadFrameWith } from "../../organizations/organization-page.server.ts";
import { INVOICE_ACTS } from "../acts.ts";
import { InvoiceChange } from "../input.ts";
import { InvoiceDetail } from "../invoice-detail.tsx";
import { detailOf, invoices, isOf, selectInvoice } from "../invoices.server.ts";
import type { Route } from "./+types/invoice.ts";

export const handle = { i18n: ["organizations", "invoices", "records"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const found = await loadFrameWith(db, visitor, (organizationId) =>
    selectInvoice(db, params.invoice, isOf(organizationId)),
  );
  const page = requirePage(found, url, params.slug);
  if (!roleCan(page.frame.role, "invoice", "read")) forbidden();
  const [row = notFound()] = page.rows;
  return { frame: page.frame, invoice: detailOf(row), now: visitor.now };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await parseForm(request, InvoiceChange);
  if (!form.ok) return invalid(form.result);
  const { intent } = form.value;
  const call = await callOf({ context, params }, INVOICE_ACTS[`${intent}-invoice`]);
  const { slug, invoice: id } = params;
  const asked = { id, intent, result: form.result };
  return changeRecord(invoices, call, asked, {
    list: href("/app/organizations/:slug/invoices", { slug }),
    item: href("/app/organizations/:slug/invoices/:invoice", { slug, invoice: id }),
  });
}

export const clientAction = sendForm;

export default function InvoiceScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("invoices");
  const { t: record } = useTranslation("records");
  const common = useTranslation().t;
  const { frame, invoice, now } = loaderData;
  const { slug, role } = frame;
  const isOpen = !frame.disabledAt && !frame.deletionDueAt;
  const mayUpdate = isOpen && roleCan(role, "invoice", "update");
  const mayDelete = isOpen && roleCan(role, "invoice", "delete");
  const { id, number: title } = invoice;
  return (
    <div className="grid grid-cols-1 gap-6">
      <ScreenTitle>{title}</ScreenTitle>
      <ScreenHeader
        title={<bdi>{title}</bdi>}
        breadcrumb={
          <ListBreadcrumb
            to={href("/app/organizations/:slug/invoices", { slug })}
            title={t("title")}
            of={{ to: href("/app/organizations/:slug", { slug }), name: frame.name }}
          />
        }
      >
        {mayUpdate && (
          <ButtonLink
            variant="secondary"
            isSmall
            to={href("/app/organizations/:slug/invoices/:invoice/update", { slug, invoice: id })}
          >
            <Icon name="pencil" className="size-4" />
            {common("actions.edit")}
          </ButtonLink>
        )}
        {mayDelete && (
          <ActionMenu
            label={common("list.actions")}
            isFramed
            questions={[
              {
                intent: "delete",
                icon: "trash-2",
                title: common("actions.delete"),
                text: <WithOwnText text={(name) => record("deleteText", { name })} value={title} />,
                isDestructive: true,
              },
            ]}
          />
        )}
      </ScreenHeader>
      <StateNotices frame={frame} />
      <FormErrors errors={actionData?.errors[""]} />
      <InvoiceDetail invoice={invoice} now={now} />
    </div>
  );
}
