import { href } from "react-router";
import type { HeaderProps } from "../../feature.ui.ts";
import type { MessageKey } from "../../i18n/message-key.ts";
import type { IconName } from "../../ui/text/icon-names.ts";
import { screensIn } from "../access/navigation.ts";
import { may, type Permission, type RoleHolder } from "../access/permissions.ts";

/**
 * A page below the screens of the navigation, which is found by its label or by other words for it.
 */
type Page = {
  to: string;
  label: MessageKey;
  words?: MessageKey | undefined;
  icon: IconName;
  needs: Permission;
};

/** Pages of the site's settings, which managers find in both areas. */
const SETTINGS: readonly Page[] = [
  {
    to: href("/manager/settings/access"),
    label: "search:pages.access",
    words: "search:words.access",
    icon: "settings",
    needs: ["settings", "read"],
  },
  {
    to: href("/manager/settings/security"),
    label: "search:pages.security",
    words: "search:words.security",
    icon: "shield",
    needs: ["settings", "read"],
  },
  {
    to: href("/manager/settings/brand"),
    label: "search:pages.brand",
    words: "search:words.brand",
    icon: "settings",
    needs: ["settings", "read"],
  },
  {
    to: href("/manager/settings/system"),
    label: "search:pages.system",
    words: "search:words.system",
    icon: "settings",
    needs: ["system", "read"],
  },
];

/** Pages of the own account in an area. */
function accountPages(area: HeaderProps["area"]): readonly Page[] {
  const account = area === "manager" ? href("/manager/account") : href("/app/account");
  const needs: Permission = ["apps", area];
  return [
    {
      to: `${account}?state=change-name`,
      label: "search:pages.name",
      words: "search:words.name",
      icon: "circle-user",
      needs,
    },
    {
      to: `${account}/picture`,
      label: "search:pages.picture",
      words: "search:words.picture",
      icon: "image-up",
      needs,
    },
    {
      to: `${account}?state=add-passkey`,
      label: "search:pages.passkey",
      words: "search:words.passkey",
      icon: "fingerprint-pattern",
      needs,
    },
    {
      to: account,
      label: "search:pages.account",
      words: "search:words.account",
      icon: "circle-user",
      needs,
    },
  ];
}

/** Returns the pages that a user may open from an area, beside the screens of its navigation. */
export function pagesFor(user: RoleHolder, area: HeaderProps["area"]): readonly Page[] {
  const ofArea = screensIn(area === "manager" ? "managerPages" : "appPages");
  return [...SETTINGS, ...accountPages(area), ...ofArea, ...screensIn("pages")].filter(
    ({ needs }) => may(user, needs),
  );
}
