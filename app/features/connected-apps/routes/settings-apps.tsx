import { data, href } from "react-router";
import { answerList } from "../../../lists/query/list-answer.server.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { can } from "../../access/permissions.ts";
import { AppList } from "../app-list.tsx";
import { loadApps } from "../apps.server.ts";
import type { Route } from "./+types/settings-apps.ts";

export const handle = { i18n: ["settings", "connected-apps"] };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { user } = requirePermission(context, "settings", "read");
  const { db } = context.get(servicesContext);
  const { data: list, init } = await answerList(context, url, {
    otherwise: { maker: "all" as const, isFull: false, isOpen: undefined },
    load: (reader) => loadApps(db, url, reader),
  });
  return data({ ...list, mayChange: can(user, "settings", "update") }, init ?? undefined);
}

export default function AppsScreen({ loaderData }: Route.ComponentProps) {
  return <AppList {...loaderData} path={href("/manager/settings/apps")} />;
}
