import { href } from "react-router";
import { roleCan } from "../../features/access/organization-permissions.ts";
import { StateNotices } from "../../features/organizations/organization-frame.tsx";
import {
  loadFrameForChange,
  loadFrameWith,
} from "../../features/organizations/organization-page.server.ts";
import { WebhooksForm } from "../../features/webhooks/input.ts";
import { selectWebhooks } from "../../features/webhooks/webhooks.server.ts";
import { WebhooksScreen } from "../../features/webhooks/webhooks-screen.tsx";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { forbidden } from "../../http/responses.ts";
import { requireFresh, requireOwner } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { BreadcrumbTo, ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { addWebhook, webhooksPage } from "../webhooks.server.ts";
import type { Route } from "./+types/organization-webhooks.ts";
import {
  callOf,
  closureOf,
  refuseForm,
  requirePage,
  visitorOf,
} from "./organization-call.server.ts";

export const handle = { i18n: ["organizations", "webhooks", "events"] };

export async function loader(args: Route.LoaderArgs) {
  const { context, url, params } = args;
  const { db } = context.get(servicesContext);
  const { frame, rows } = requirePage(
    await loadFrameWith(db, visitorOf(args), (organizationId) =>
      selectWebhooks(db, { organizationId }),
    ),
    url,
    params.slug,
  );
  if (!roleCan(frame.role, "webhook", "update")) forbidden();
  const { slug } = frame;
  const path = href("/app/organizations/:slug/webhooks", { slug });
  const page = { context, url, owner: "organization" as const, path, mayChange: !closureOf(frame) };
  const shown = webhooksPage(page, rows);
  if (shown.isNew) requireFresh(context, url, url.pathname + url.search);
  return { ...shown, frame, settings: href("/app/organizations/:slug/settings", { slug }) };
}

export async function action(args: Route.ActionArgs) {
  const { request, context, params, url } = args;
  requireOwner(context);
  const form = await parseForm(request, WebhooksForm);
  if (!form.ok) return invalid(form.result);
  const { actor, db } = await callOf({ context, params }, `own:${form.value.intent}`);
  const page = await loadFrameForChange(db, visitorOf(args));
  const { frame } = requirePage(page, url, params.slug);
  if (!roleCan(frame.role, "webhook", "update")) forbidden();
  const closure = closureOf(frame);
  if (closure) return refuseForm(closure, form.result);
  const call = { actor, owner: { organizationId: frame.id } };
  const path = href("/app/organizations/:slug/webhooks", { slug: frame.slug });
  return addWebhook({ context, call, path, form: form.value, result: form.result });
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendForm(serverAction);
}

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
      />
      <StateNotices frame={frame} />
      <WebhooksScreen {...page} result={actionData} />
    </div>
  );
}
