import { href, redirect } from "react-router";
import type { Route } from "./+types/device-address.ts";

/** The address that devices show, because people type it. */
export function loader({ url }: Route.LoaderArgs) {
  return redirect(href("/app/device") + url.search);
}
