import { redirect } from "react-router";
import { appErrorPath } from "../app-error-path.ts";
import { readAppRequest } from "../app-request.ts";
import type { Route } from "./+types/cancel.ts";
import { refusalTo } from "./authorization.server.ts";

/** Leads a person back to the app who does not want to sign in to it. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const step = await refusalTo({ request, context }, readAppRequest(url.searchParams));
  return redirect(step.type === "app" ? step.location : appErrorPath("invalid_request"));
}
