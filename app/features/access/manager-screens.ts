import { href } from "react-router";
import type { IconName } from "../../ui/text/icon-names.ts";
import { useTranslation } from "../../ui/text/translation.tsx";
import { can, type Permission, type RoleHolder } from "./permissions.ts";

/** Screens of the back-office, in the order of its navigation, and the permission that each asks for. */
const ENTRIES = [
  ["dashboard.title", href("/manager/dashboard"), "layout-dashboard", ["dashboard", "read"]],
  ["users", href("/manager/users"), "users", ["user", "list"]],
  ["organizations", href("/manager/organizations"), "building-2", ["organization", "read"]],
  ["repositories", href("/manager/repositories"), "folder-git-2", ["repository", "read"]],
  ["activity", href("/manager/audit"), "scroll-text", ["audit", "read"]],
  ["mail", href("/manager/mail"), "mail", ["mail", "read"]],
  ["settings", href("/manager/settings"), "settings", ["settings", "read"]],
] as const satisfies [label: string, path: string, icon: IconName, permission: Permission][];

/** Returns the screens that a manager may open. The menu of the user has the account. */
export function useManagerScreens(manager: RoleHolder) {
  const { t } = useTranslation("manager");
  return ENTRIES.filter(([, , , [resource, action]]) => can(manager, resource, action)).map(
    ([label, path, icon]) => ({ path, icon, label: t(label) }),
  );
}
