import { href } from "react-router";
import { users } from "../../features/users/list/user-queries.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { answerExport } from "../../lists/query/export-answer.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/users-export.ts";

/** Streams the users of the current search as a file of any size. */
export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "user", "export", { next: href("/manager/users") + url.search });
  const { db } = context.get(servicesContext);
  const { now, timeZone } = context.get(requestContext);
  return answerExport(context, "users", users.export(db, url, { now: now(), timeZone }));
}
