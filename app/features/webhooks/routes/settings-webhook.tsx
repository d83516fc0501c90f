import { href } from "react-router";
import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requireActor, requirePermission, requireProof } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { BreadcrumbTo } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { can } from "../../access/permissions.ts";
import { WebhookForm } from "../input.ts";
import { WebhookScreen } from "../webhook-screen.tsx";
import { selectWebhooks } from "../webhooks.server.ts";
import type { Route } from "./+types/settings-webhook.ts";
import { changeWebhook, webhookPage } from "./webhooks.server.ts";

export const handle = { i18n: ["settings", "webhooks", "events"] };

const list = href("/manager/settings/webhooks");
const pathOf = ({ id }: { id: string }) => href("/manager/settings/webhooks/:id", { id });

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const mayChange = can(user, "settings", "update");
  const { db } = context.get(servicesContext);
  const page = { context, url, owner: "site" as const, path: pathOf(params), mayChange };
  return webhookPage(page, await selectWebhooks(db, "site", params.id));
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const actor = requireActor(context, "settings", "update", { isProofLater: true });
  const form = await parseForm(request, WebhookForm);
  if (!form.ok) return invalid(form.result);
  requireProof(context, "settings.update");
  const call = { actor, owner: "site" as const };
  const change = {
    context,
    url,
    call,
    path: pathOf(params),
    form: form.value,
    result: form.result,
  };
  return changeWebhook(change, params.id, list);
}

export const headers = retryAfterHeaders;

export const clientAction = sendForm;

export default function SiteWebhookScreen({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("webhooks");
  return (
    <>
      <BreadcrumbTo to={list}>{t("title")}</BreadcrumbTo>
      <WebhookScreen {...loaderData} result={actionData} />
    </>
  );
}
