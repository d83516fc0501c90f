import { href, redirect } from "react-router";
import { requirePermission } from "../../middleware/current-user.ts";
import type { Route } from "./+types/settings.ts";

export function loader({ context }: Route.LoaderArgs) {
  requirePermission(context, "settings", "read");
  return redirect(href("/manager/settings/access"));
}

/** Never drawn. Without a component the route would answer a refusal as data instead of a page. */
export default function SettingsScreen() {
  return null;
}
