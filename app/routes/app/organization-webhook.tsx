import { data, href } from "react-router";
import { roleCan } from "../../features/access/organization-permissions.ts";
import { StateNotices } from "../../features/organizations/organization-frame.tsx";
import {
  loadFrameForChange,
  loadFrameWith,
} from "../../features/organizations/organization-page.server.ts";
import { WebhookForm } from "../../features/webhooks/input.ts";
import { receiverOf } from "../../features/webhooks/receiver-url.ts";
import { WebhookScreen } from "../../features/webhooks/webhook-screen.tsx";
import { selectWebhooks, shownWebhook } from "../../features/webhooks/webhooks.server.ts";
import { invalid, parseForm } from "../../http/forms.server.ts";
import { sendForm } from "../../http/lost-network.ts";
import { forbidden, notFound } from "../../http/responses.ts";
import { requireFresh, requireOwner } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ScreenTitle } from "../../ui/layout/document.tsx";
import { Breadcrumb, BreadcrumbLink, ScreenHeader } from "../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../ui/text/translation.tsx";
import { changeWebhook, webhookPage } from "../webhooks.server.ts";
import type { Route } from "./+types/organization-webhook.ts";
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
      selectWebhooks(db, { organizationId }, params.id),
    ),
    url,
    params.slug,
  );
  if (!roleCan(frame.role, "webhook", "update")) forbidden();
  const { slug } = frame;
  const path = href("/app/organizations/:slug/webhooks/:id", { slug, id: params.id });
  const page = { context, url, owner: "organization" as const, path, mayChange: !closureOf(frame) };
  const shown = await webhookPage(page, rows);
  if (shown.isEdited) requireFresh(context, url, url.pathname + url.search);
  return {
    ...{ ...shown, frame },
    settings: href("/app/organizations/:slug/settings", { slug }),
    list: href("/app/organizations/:slug/webhooks", { slug }),
  };
}

export async function action(args: Route.ActionArgs) {
  const { request, context, params, url } = args;
  requireOwner(context);
  const form = await parseForm(request, WebhookForm);
  if (!form.ok) return invalid(form.result);
  const { actor, db } = await callOf({ context, params }, `own:${form.value.intent}`);
  const page = await loadFrameForChange(db, visitorOf(args));
  const { frame } = requirePage(page, url, params.slug);
  if (!roleCan(frame.role, "webhook", "update")) forbidden();
  const closure = closureOf(frame);
  if (closure) return refuseForm(closure, form.result);
  const { slug, id: organizationId } = frame;
  const change = {
    ...{ context, form: form.value, result: form.result },
    call: { actor, owner: { organizationId } },
    path: href("/app/organizations/:slug/webhooks/:id", { slug, id: params.id }),
  };
  const list = href("/app/organizations/:slug/webhooks", { slug });
  const answer = await changeWebhook(change, params.id, list);
  if (answer !== "conflict") return answer;
  const [current] = await selectWebhooks(db, { organizationId }, params.id);
  const theirs = current ? shownWebhook(current, true) : notFound();
  return data({ ...form.result, theirs }, { status: 409 });
}

export function clientAction({ serverAction }: Route.ClientActionArgs) {
  return sendForm(serverAction);
}

export default function OrganizationWebhookScreen({
  loaderData,
  actionData,
}: Route.ComponentProps) {
  const { t } = useTranslation("webhooks");
  const { frame, settings, list, ...page } = loaderData;
  const receiver = receiverOf(page.webhook.url);
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
