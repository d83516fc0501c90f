import { href, redirect } from "react-router";
import { requirePermission } from "../../middleware/require-user.ts";
import type { Route } from "./+types/home.ts";

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "apps", "manager");
  return redirect(href("/manager/dashboard"));
}

/** Never drawn; but a route without a component answers a refusal as data, and people are looking at this one. */
export default function ManagerHomeScreen() {
  return null;
}
