import { href } from "react-router";
import { sendForm } from "../../../http/lost-network.ts";
import { forbidden, notFound } from "../../../http/responses.ts";
import { saveVersioned } from "../../../http/save-record.server.ts";
import { ListBreadcrumb } from "../../../lists/table/list-breadcrumb.tsx";
import { callOf, requirePage, visitorOf } from "../../../middleware/organization-call.server.ts";
import { refuseRecord } from "../../../middleware/record-forms.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { ConflictNotice } from "../../../ui/forms/conflict-notice.tsx";
import { useVersioned } from "../../../ui/forms/use-versioned.tsx";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { SingleColumn } from "../../../ui/layout/single-column.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { roleCan } from "../../access/organization-permissions.ts";
import { StateNotices } from "../../organizations/organization-frame.tsx";
import { loadFrameWith } from "../../organizations/organization-page.server.ts";
import { idOf } from "../../organizations/standing.server.ts";
import { errorsOf } from "../../owned/owned-errors.ts";
import { INVOICE_ACTS } from "../acts.ts";
import { InvoiceUpdate } from "../input.ts";
import { InvoiceForm } from "../invoice-form.tsx";
import { STATUS_CHOICES } from "../invoice-limits.ts";
import { valuesOf } from "../invoice-values.ts";
import { findInvoice, INVOICE_ERRORS, invoices, isOf, selectInvoice } from "../invoices.server.ts";
import type { Route } from "./+types/invoice-update.ts";

export const handle = { i18n: ["organizations", "invoices", "records"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const found = await loadFrameWith(db, visitor, (organizationId) =>
    selectInvoice(db, params.invoice, isOf(organizationId)),
  );
  const { frame, rows } = requirePage(found, url, params.slug);
  const [row = notFound()] = rows;
  if (!roleCan(frame.role, "invoice", "update")) forbidden();
  return { frame, id: row.id, title: row.number, ...valuesOf(row) };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const call = await callOf({ context, params }, INVOICE_ACTS["update-invoice"]);
  const refused = await refuseRecord(invoices, call, "update");
  if (refused) return refused;
  const { db } = call;
  const isOwn = isOf(idOf(call.key));
  const { slug, invoice: id } = params;
  const before = (await findInvoice(db, id, isOwn)) ?? notFound();
  const saved = "records:toast.updated";
  return saveVersioned(request, InvoiceUpdate, saved, async ({ version, ...input }) => {
    const updated = await invoices.update(call, before, input, version);
    if (updated.ok)
      return { to: href("/app/organizations/:slug/invoices/:invoice", { slug, invoice: id }) };
    if (updated.error !== "conflict") return errorsOf(updated, INVOICE_ERRORS);
    const theirs = (await findInvoice(db, id, isOwn)) ?? notFound();
    return { theirs: valuesOf(theirs) };
  });
}

export const clientAction = sendForm;

export default function InvoiceUpdateScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("invoices");
  const { t: record } = useTranslation("records");
  const common = useTranslation().t;
  const { id, title, frame } = loaderData;
  const { slug } = frame;
  const { theirs, typed, field, overwrite } = useVersioned(loaderData, actionData);
  return (
    <SingleColumn>
      <ScreenTitle>{title}</ScreenTitle>
      <ScreenHeader
        title={common("actions.edit")}
        breadcrumb={
          <ListBreadcrumb
            to={href("/app/organizations/:slug/invoices", { slug })}
            title={t("title")}
            above={{
              to: href("/app/organizations/:slug/invoices/:invoice", { slug, invoice: id }),
              name: title,
            }}
          />
        }
      />
      <StateNotices frame={frame} />
      {theirs && (
        <ConflictNotice
          discardHref={href("/app/organizations/:slug/invoices/:invoice", { slug, invoice: id })}
          fields={[
            { label: t("fields.number"), theirs: theirs.number, yours: typed?.number },
            { label: t("fields.customer"), theirs: theirs.customer, yours: typed?.customer },
            {
              label: t("fields.amount"),
              theirs: theirs.amount.replace(/,(?=\D+$)/, " "),
              yours: typed?.amount?.replace(/,(?=\D+$)/, " "),
            },
            { label: t("fields.dueOn"), theirs: theirs.dueOn, yours: typed?.dueOn },
            {
              label: t("fields.status"),
              theirs: t(`choices.status.${theirs.status}`),
              yours: STATUS_CHOICES.filter((choice) => choice === typed?.status).map((choice) =>
                t(`choices.status.${choice}`),
              )[0],
            },
            { label: t("fields.notes"), theirs: theirs.notes, yours: typed?.notes },
          ]}
        />
      )}
      <InvoiceForm
        values={typed ?? loaderData}
        result={actionData}
        submitLabel={overwrite ?? record("save")}
      >
        {field}
        <ButtonLink
          variant="secondary"
          to={href("/app/organizations/:slug/invoices/:invoice", { slug, invoice: id })}
        >
          {common("actions.cancel")}
        </ButtonLink>
      </InvoiceForm>
    </SingleColumn>
  );
}
