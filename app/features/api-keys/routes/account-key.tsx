import { requestContext } from "../../../http/request-context.ts";
import { notFound } from "../../../http/responses.ts";
import { requireOwner, requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { useTranslation } from "../../../ui/text/translation.tsx";
import { accountPaths, areaOf } from "../../account/areas.ts";
import { ApiKeyScreen } from "../api-key-screen.tsx";
import { findApiKey } from "../api-keys.server.ts";
import { keysPath } from "../keys-path.ts";
import type { Route } from "./+types/account-key.ts";

export const handle = { i18n: ["api-keys", "scopes"] };

/** Shows a key of the own account, and its last calls. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  requirePermission(context, "account", "update");
  const { user } = requireOwner(context);
  const { db } = context.get(servicesContext);
  const now = context.get(requestContext).now();
  const found = (await findApiKey(db, { userId: user.id }, params.key, now)) ?? notFound();
  const area = areaOf(url);
  return { ...found, now, list: keysPath(area), settings: accountPaths(area).account };
}

export default function OwnKeyScreen({ loaderData }: Route.ComponentProps) {
  const common = useTranslation().t;
  return <ApiKeyScreen {...loaderData} isShared={false} above={common("account.title")} />;
}
