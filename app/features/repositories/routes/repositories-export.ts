import { requestContext } from "../../../http/request-context.ts";
import { answerExport } from "../../../lists/query/export-answer.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { repositoryList } from "../repository-queries.server.ts";
import type { Route } from "./+types/repositories-export.ts";

/** Streams the repositories of the current search as a file of any size. */
export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "repository", "export");
  const { db } = context.get(servicesContext);
  const reader = { now: context.get(requestContext).now() };
  return answerExport(context, "repositories", repositoryList.export(db, url, reader));
}
