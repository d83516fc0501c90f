import { href } from "react-router";
import type { MessageKey } from "../../i18n/message-key.ts";
import type { IconName } from "../../ui/text/icon-names.ts";
import { useText } from "../../ui/text/translation.tsx";
import { screensIn } from "./navigation.ts";
import { may, type Permission, type RoleHolder } from "./permissions.ts";

/** Screens of the back-office, in the order of its navigation, and the permission that each asks for. */
const SCREENS: readonly { label: MessageKey; to: string; icon: IconName; needs: Permission }[] = [
  {
    label: "manager:dashboard.title",
    to: href("/manager/dashboard"),
    icon: "layout-dashboard",
    needs: ["dashboard", "read"],
  },
  {
    label: "manager:users",
    to: href("/manager/users"),
    icon: "users",
    needs: ["user", "list"],
  },
  {
    label: "manager:organizations",
    to: href("/manager/organizations"),
    icon: "building-2",
    needs: ["organization", "read"],
  },
  ...screensIn("manager"),
  {
    label: "manager:activity",
    to: href("/manager/audit"),
    icon: "scroll-text",
    needs: ["audit", "read"],
  },
  {
    label: "manager:mail",
    to: href("/manager/mail"),
    icon: "mail",
    needs: ["mail", "read"],
  },
  {
    label: "manager:settings",
    to: href("/manager/settings"),
    icon: "settings",
    needs: ["settings", "read"],
  },
];

/** Returns the screens that a manager may open. The menu of the user has the account. */
export function useManagerScreens(manager: RoleHolder) {
  const text = useText();
  return SCREENS.filter(({ needs }) => may(manager, needs)).map(({ to, icon, label }) => ({
    path: to,
    icon,
    label: text(label),
  }));
}
