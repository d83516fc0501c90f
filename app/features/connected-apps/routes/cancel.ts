import { redirect } from "react-router";
import type { Route } from "./+types/cancel.ts";
import { readAsked, refusalTo } from "./authorization.server.ts";

/** Leads a person who does not want to sign in to an app back to it. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  return redirect(await refusalTo({ request, context }, readAsked(context, url)));
}
