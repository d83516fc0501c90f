import { answerExport } from "../../../lists/query/export-answer.ts";
import { readListParams } from "../../../lists/query/list-params.ts";
import { requirePermission } from "../../../middleware/current-user.ts";
import { servicesContext } from "../../../runtime/services-context.ts";
import { REPOSITORY_SORTS } from "../repository-limits.ts";
import { exportRepositories } from "../repository-queries.server.ts";
import type { Route } from "./+types/repositories-export.ts";

const HEADER = ["id", "name", "link", "description", "created", "updated"];

/** Streams the repositories of the current search as a file of any size. */
export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "repository", "export");
  const { db } = context.get(servicesContext);
  const { searchTerm } = readListParams(url, REPOSITORY_SORTS, "desc");
  const rows = exportRepositories(db, searchTerm);
  return answerExport(context, "repositories", { header: HEADER, rows });
}
