import { href } from "react-router";
import { sendForm } from "../../../http/lost-network.ts";
import { forbidden } from "../../../http/responses.ts";
import { saveNew } from "../../../http/save-record.server.ts";
import { NewRecord } from "../../../lists/table/new-record.tsx";
import { callOf, requirePage, visitorOf } from "../../../middleware/organization-call.server.ts";
import { refuseRecord } from "../../../middleware/record-forms.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { roleCan } from "../../access/organization-permissions.ts";
import { StateNotices } from "../../organizations/organization-frame.tsx";
import { loadFrame } from "../../organizations/organization-page.server.ts";
import { errorsOf } from "../../owned/owned-errors.ts";
import { INVOICE_ACTS } from "../acts.ts";
import { InvoiceInput } from "../input.ts";
import { InvoiceForm } from "../invoice-form.tsx";
import { INVOICE_ERRORS, invoices } from "../invoices.server.ts";
import type { Route } from "./+types/invoice-new.ts";

export const handle = { i18n: ["organizations", "invoices", "records"] };

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const visitor = visitorOf({ context, params });
  const { db } = context.get(servicesContext);
  const page = requirePage(await loadFrame(db, visitor), url, params.slug);
  if (!roleCan(page.frame.role, "invoice", "create")) forbidden();
  return { frame: page.frame };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const call = await callOf({ context, params }, INVOICE_ACTS["create-invoice"]);
  const refused = await refuseRecord(invoices, call, "create");
  if (refused) return refused;
  const { slug } = params;
  return saveNew(request, InvoiceInput, async (input) => {
    const created = await invoices.create(call, input);
    return created.ok
      ? { to: href("/app/organizations/:slug/invoices/:invoice", { slug, invoice: created.id }) }
      : errorsOf(created, INVOICE_ERRORS);
  });
}

export const clientAction = sendForm;

export default function InvoiceNewScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("invoices");
  const { t: record } = useTranslation("records");
  const { frame } = loaderData;
  const { slug, name } = frame;
  return (
    <NewRecord
      title={t("new")}
      list={{
        to: href("/app/organizations/:slug/invoices", { slug }),
        title: t("title"),
        of: { to: href("/app/organizations/:slug", { slug }), name },
      }}
      form={(cancel) => (
        <>
          <StateNotices frame={frame} />
          <InvoiceForm
            values={actionData?.values ?? {}}
            result={actionData}
            submitLabel={record("create")}
          >
            {cancel}
          </InvoiceForm>
        </>
      )}
    />
  );
}
