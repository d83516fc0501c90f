import { href, redirect } from "react-router";
import { requirePermission } from "../../middleware/current-user.ts";
import type { Route } from "./+types/home.ts";

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "apps", "manager");
  return redirect(href("/manager/dashboard"));
}

/** Never drawn. Without a component the route would answer a refusal as data instead of a page. */
export default function ManagerHomeScreen() {
  return null;
}
