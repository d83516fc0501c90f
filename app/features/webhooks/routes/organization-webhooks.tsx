import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requireOwner } from "../../../middleware/current-user.ts";
import { ScreenTitle } from "../../../ui/layout/document.tsx";
import { BreadcrumbTo, ScreenHeader } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { StateNotices } from "../../organizations/organization-frame.tsx";
import { OWN_WEBHOOK_ACTS } from "../acts.ts";
import { WebhooksForm } from "../input.ts";
import { NewWebhookLink, WebhooksScreen } from "../webhooks-screen.tsx";
import type { Route } from "./+types/organization-webhooks.ts";
import { loadWebhooks, webhookChange } from "./organization-webhooks.server.ts";
import { addWebhook, webhooksPage } from "./webhooks.server.ts";

export const handle = { i18n: ["organizations", "webhooks", "events"] };

export async function loader(args: Route.LoaderArgs) {
  const { frame, rows, page, paths } = await loadWebhooks(args);
  const shown = webhooksPage({ ...page, path: paths.list }, rows);
  if (shown.isNew) requireOwner(args.context);
  return { ...shown, frame, settings: paths.settings };
}

export async function action(args: Route.ActionArgs) {
  requireOwner(args.context);
  const form = await parseForm(args.request, WebhooksForm);
  if (!form.ok) return invalid(form.result);
  const { refused, change, paths } = await webhookChange(
    args,
    OWN_WEBHOOK_ACTS[form.value.intent],
    form.result,
  );
  if (refused) return refused;
  return addWebhook({ ...change, path: paths.list, form: form.value });
}

export const headers = retryAfterHeaders;

export const clientAction = sendForm;

export default function OrganizationWebhooksScreen({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  const { t } = useTranslation("webhooks");
  const { frame, settings, ...page } = loaderData;
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6">
      <ScreenTitle>{t("title")}</ScreenTitle>
      <ScreenHeader
        title={t("title")}
        breadcrumb={<BreadcrumbTo to={settings}>{frame.name}</BreadcrumbTo>}
      >
        {page.mayChange && !page.isFull && page.webhooks.length > 0 && (
          <NewWebhookLink path={page.path} />
        )}
      </ScreenHeader>
      <StateNotices frame={frame} />
      <WebhooksScreen {...page} isLinkAbove result={actionData} />
    </div>
  );
}
