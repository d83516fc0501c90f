import { href } from "react-router";
import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { parseSearch } from "../../../http/search-params.ts";
import { getCurrentSession, requireOwner } from "../../../middleware/current-user.ts";
import {
  callOf,
  closureOf,
  refuseForm,
  requirePage,
  visitorOf,
} from "../../../middleware/organization-call.server.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { BreadcrumbTo } from "../../../ui/layout/screen-header.tsx";
import { loadFrameForChange, loadFrameWith } from "../../organizations/organization-page.server.ts";
import { OWN_KEY_ACTS } from "../acts.ts";
import { areKeysFull } from "../api-key.ts";
import { selectApiKeys } from "../api-keys.server.ts";
import { ApiKeysScreen } from "../api-keys-screen.tsx";
import { apiKeyForm, KeysSearch } from "../input.ts";
import type { Route } from "./+types/organization-keys.ts";
import { changeApiKeys, scopesForOrganization } from "./api-keys.server.ts";
import { requireOwnership } from "./organization-keys.server.ts";

export const handle = { i18n: ["api-keys", "scopes"] };

export async function loader(args: Route.LoaderArgs) {
  const { context, url } = args;
  const visitor = visitorOf(args);
  const { db, features } = context.get(servicesContext);
  const { frame, rows: keys } = requirePage(
    await loadFrameWith(db, visitor, (organizationId) => selectApiKeys(db, { organizationId })),
    url,
    args.params.slug,
  );
  requireOwnership(frame);
  const { name, slug } = frame;
  const isNew = parseSearch(url, KeysSearch).state === "new";
  if (isNew) requireOwner(context);
  const now = context.get(requestContext).now();
  return {
    keys,
    isNew,
    name,
    now,
    path: href("/app/organizations/:slug/keys", { slug }),
    settings: href("/app/organizations/:slug/settings", { slug }),
    isFull: areKeysFull(keys, now),
    offered: scopesForOrganization(features.api),
    readerId: getCurrentSession(context).user.id,
  };
}

export async function action(args: Route.ActionArgs) {
  const { request, context, params, url } = args;
  requireOwner(context);
  const { db, features } = context.get(servicesContext);
  const offered = scopesForOrganization(features.api).map(({ scope }) => scope);
  const form = await parseForm(request, apiKeyForm(offered));
  if (!form.ok) return invalid(form.result);
  await callOf({ context, params }, OWN_KEY_ACTS[form.value.intent]);
  const page = await loadFrameForChange(db, visitorOf(args));
  const { frame } = requirePage(page, url, params.slug);
  requireOwnership(frame);
  const closure = closureOf(frame);
  // A key can be ended at any time.
  if (closure && form.value.intent !== "revoke-key") return refuseForm(closure, form.result);
  const { id, name, slug } = frame;
  const path = href("/app/organizations/:slug/keys", { slug });
  const change = { context, url, path, result: form.result };
  const organization = { id, name };
  return changeApiKeys({ ...change, owner: { organizationId: id }, organization }, form.value);
}

export const headers = retryAfterHeaders;

export const clientAction = sendForm;

export default function OrganizationKeysScreen({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ApiKeysScreen
      {...loaderData}
      isShared
      breadcrumb={<BreadcrumbTo to={loaderData.settings}>{loaderData.name}</BreadcrumbTo>}
      result={actionData}
    />
  );
}
