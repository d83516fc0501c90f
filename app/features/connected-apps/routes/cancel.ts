import { href, redirect } from "react-router";
import type { Route } from "./+types/cancel.ts";
import { readAsked, refusalTo } from "./authorization.server.ts";

/** Leads a person who does not want to sign in to an app back to it; to the start page where it is not trusted. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const asked = readAsked(context, url);
  return redirect((await refusalTo({ request, context }, asked)) ?? href("/"));
}
