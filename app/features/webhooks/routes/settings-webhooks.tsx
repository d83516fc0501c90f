import { href } from "react-router";
import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requireActor, requirePermission, requireProof } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { can } from "../../access/permissions.ts";
import { WebhooksForm } from "../input.ts";
import { selectWebhooks } from "../webhooks.server.ts";
import { WebhooksScreen } from "../webhooks-screen.tsx";
import type { Route } from "./+types/settings-webhooks.ts";
import { addWebhook, webhooksPage } from "./webhooks.server.ts";

export const handle = { i18n: ["settings", "webhooks", "events"] };

const path = href("/manager/settings/webhooks");

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const mayChange = can(user, "settings", "update");
  const { db } = context.get(servicesContext);
  const page = { context, url, owner: "site" as const, path, mayChange };
  return webhooksPage(page, await selectWebhooks(db, "site"));
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const actor = requireActor(context, "settings", "update", { isProofLater: true });
  const form = await parseForm(request, WebhooksForm);
  if (!form.ok) return invalid(form.result);
  requireProof(context, "settings.update");
  const call = { actor, owner: "site" as const };
  return addWebhook({ context, url, call, path, form: form.value, result: form.result });
}

export const headers = retryAfterHeaders;

export const clientAction = sendForm;

export default function SiteWebhooksScreen({ loaderData, actionData }: Route.ComponentProps) {
  return <WebhooksScreen {...loaderData} result={actionData} />;
}
