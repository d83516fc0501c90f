import { pingDatabase } from "../../db/db.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { describeError, log } from "../../runtime/log.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { Route } from "./+types/ready.ts";

/** Answers 200 when requests can be served, 503 when the database does not answer. */
export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  try {
    await pingDatabase(db);
    return Response.json({ status: "ready" });
  } catch (error) {
    log("error", "database.unavailable", {
      request: context.get(requestContext).id,
      ...describeError(error),
    });
    return Response.json({ status: "unavailable", database: "unavailable" }, { status: 503 });
  }
}
