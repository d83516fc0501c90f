import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requireOwner } from "../../../middleware/current-user.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { Breadcrumb, BreadcrumbLink, ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { StateNotices } from "../../organizations/organization-frame.tsx";
import { OWN_WEBHOOK_ACTS } from "../acts.ts";
import { WebhookForm } from "../input.ts";
import { receiverOf } from "../receiver-url.ts";
import { WebhookScreen } from "../webhook-screen.tsx";
import type { Route } from "./+types/organization-webhook.ts";
import { loadWebhooks, webhookChange } from "./organization-webhooks.server.ts";
import { changeWebhook, webhookPage } from "./webhooks.server.ts";

export const handle = { i18n: ["organizations", "webhooks", "events"] };

export async function loader(args: Route.LoaderArgs) {
  const { params } = args;
  const { frame, rows, page, paths } = await loadWebhooks(args, params.id);
  const shown = await webhookPage({ ...page, path: paths.one(params.id) }, rows);
  if (shown.isEdited) requireOwner(args.context);
  return { ...shown, frame, settings: paths.settings, list: paths.list };
}

export async function action(args: Route.ActionArgs) {
  const { request, context, params } = args;
  requireOwner(context);
  const form = await parseForm(request, WebhookForm);
  if (!form.ok) return invalid(form.result);
  const { refused, change, paths } = await webhookChange(
    args,
    OWN_WEBHOOK_ACTS[form.value.intent],
    form.result,
  );
  if (refused) return refused;
  const path = paths.one(params.id);
  return changeWebhook({ ...change, path, form: form.value }, params.id, paths.list);
}

export const headers = retryAfterHeaders;

export const clientAction = sendForm;

export default function OrganizationWebhookScreen({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  const { t } = useTranslation("webhooks");
  const { frame, settings, list, ...page } = loaderData;
  const { isBin, url } = page.webhook;
  const receiver = isBin ? t("bin.name") : receiverOf(url);
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6">
      <ScreenTitle>{`${receiver} · ${t("title")}`}</ScreenTitle>
      <ScreenHeader
        title={<bdi className="wrap-anywhere">{receiver}</bdi>}
        breadcrumb={
          <Breadcrumb>
            {[
              <BreadcrumbLink key="settings" to={settings}>
                {frame.name}
              </BreadcrumbLink>,
              <BreadcrumbLink key="list" to={list}>
                {t("title")}
              </BreadcrumbLink>,
            ]}
          </Breadcrumb>
        }
      />
      <StateNotices frame={frame} />
      <WebhookScreen {...page} result={actionData} />
    </div>
  );
}
