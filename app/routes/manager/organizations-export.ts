import { href } from "react-router";
import { organizations } from "../../features/organizations/office/organization-list.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { answerExport } from "../../lists/query/export-answer.ts";
import { requirePermission } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/organizations-export.ts";

/** Streams the organizations of the current search as a file of any size. */
export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "organization", "export", {
    next: href("/manager/organizations") + url.search,
  });
  const { db } = context.get(servicesContext);
  const reader = { now: context.get(requestContext).now() };
  return answerExport(context, "organizations", organizations.export(db, url, reader));
}
