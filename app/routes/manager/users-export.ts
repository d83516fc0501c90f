import { exportUsers } from "../../features/users/user-queries.server.ts";
import { csvResponse } from "../../http/csv.ts";
import { requestContext } from "../../http/request-context.ts";
import { requirePermission } from "../../middleware/require-user.ts";
import { servicesContext } from "../../services.server.ts";
import type { Route } from "./+types/users-export.ts";

const HEADER = ["id", "name", "email", "role", "status", "created", "last seen"];

/** The users of the current search, as a file of any size. */
export function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, "user", "list");
  const { db } = context.get(servicesContext);
  return csvResponse("users", HEADER, exportUsers(db, url, context.get(requestContext).now()));
}
