import { href } from "react-router";
import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import {
  isProofMissing,
  requireActor,
  requireKeyProof,
  requirePermission,
} from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { PROOF_REQUIRED } from "../../../ui/forms/proof.tsx";
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
  const shown = webhooksPage(page, await selectWebhooks(db, "site"));
  if (shown.isNew) requireKeyProof(context, url, url.pathname + url.search);
  return shown;
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const actor = requireActor(context, "settings", "update", { isProofLater: true });
  const form = await parseForm(request, WebhooksForm);
  if (!form.ok) return invalid(form.result);
  // What was typed stays in the form.
  if (isProofMissing(context, "settings.update")) {
    return invalid(form.result, { "": [PROOF_REQUIRED] });
  }
  const call = { actor, owner: "site" as const };
  return addWebhook({ context, url, call, path, form: form.value, result: form.result });
}

export const headers = retryAfterHeaders;

export const clientAction = sendForm;

export default function SiteWebhooksScreen({ loaderData, actionData }: Route.ComponentProps) {
  return <WebhooksScreen {...loaderData} result={actionData} />;
}
