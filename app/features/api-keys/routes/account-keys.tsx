import { invalid, parseForm, retryAfterHeaders } from "../../../http/forms.server.ts";
import { sendForm } from "../../../http/lost-network.ts";
import { requestContext } from "../../../http/request-context.ts";
import { parseSearch } from "../../../http/search-params.ts";
import {
  requireOwner,
  requirePasskey,
  requirePermission,
} from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { BreadcrumbTo } from "../../../ui/layout/screen-header.tsx";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { accountPaths, areaOf } from "../../account/areas.ts";
import { areKeysFull } from "../api-key.ts";
import { selectApiKeys } from "../api-keys.server.ts";
import { ApiKeysScreen } from "../api-keys-screen.tsx";
import { apiKeyForm, KeysSearch } from "../input.ts";
import { keysPath } from "../keys-path.ts";
import type { Route } from "./+types/account-keys.ts";
import { changeApiKeys, scopesForUser } from "./api-keys.server.ts";

export const handle = { i18n: ["api-keys", "scopes"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "account", "update");
  const { user } = requireOwner(context);
  const isNew = parseSearch(url, KeysSearch).state === "new";
  const { db, features } = context.get(servicesContext);
  const keys = await selectApiKeys(db, { userId: user.id });
  const area = areaOf(url);
  const { account } = accountPaths(area);
  const path = keysPath(area);
  const now = context.get(requestContext).now();
  return {
    keys,
    isNew,
    path,
    account,
    now,
    isFull: areKeysFull(keys, now),
    offered: scopesForUser(features.api, user),
    readerId: user.id,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requirePermission(context, "account", "update");
  const path = keysPath(areaOf(url));
  const { user } = requirePasskey(context, url, { change: "account", next: path });
  const { features } = context.get(servicesContext);
  const offered = scopesForUser(features.api, user).map(({ scope }) => scope);
  const form = await parseForm(request, apiKeyForm(offered));
  if (!form.ok) return invalid(form.result);
  const owner = { userId: user.id };
  return changeApiKeys({ context, url, path, owner, result: form.result }, form.value);
}

export const headers = retryAfterHeaders;

export const clientAction = sendForm;

export default function OwnKeysScreen({ loaderData, actionData }: Route.ComponentProps) {
  const common = useTranslation().t;
  return (
    <ApiKeysScreen
      {...loaderData}
      isShared={false}
      breadcrumb={<BreadcrumbTo to={loaderData.account}>{common("account.title")}</BreadcrumbTo>}
      result={actionData}
    />
  );
}
