import { href, redirect } from "react-router";
import { readAppRequest } from "../app-request.ts";
import type { Route } from "./+types/cancel.ts";
import { refusalTo } from "./authorization.server.ts";

/** Leads a person who does not want to sign in to an app back to it; to the start page where it is not trusted. */
export async function loader({ request, context, url }: Route.LoaderArgs) {
  const asked = readAppRequest(url.searchParams);
  return redirect((await refusalTo({ request, context }, asked)) ?? href("/"));
}
