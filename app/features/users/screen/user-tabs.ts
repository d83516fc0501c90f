import { can, type Permission, type RoleHolder } from "../../access/permissions.ts";

/** Tabs of a user's screen, and the permission that each needs. */
const TABS = {
  activity: ["audit", "read"],
  sessions: ["session", "list"],
  emails: ["mail", "read"],
} as const satisfies Record<string, Permission>;

export type UserTab = keyof typeof TABS;

/** The events that the tab of the activity shows: about the user, or by the user. */
export type EventSide = "about" | "by";

/** Returns which events a URL asks for; those about the user by default. */
export function readEventSide(params: URLSearchParams): EventSide {
  return params.get("side") === "by" ? "by" : "about";
}

/** Returns the tabs that a manager may see; the first is shown without `?tab=`. */
export function userTabsFor(manager: RoleHolder): UserTab[] {
  const names = Object.keys(TABS) as UserTab[];
  return names.filter((name) => {
    const [resource, action] = TABS[name];
    return can(manager, resource, action);
  });
}

/**
 * Returns the tab that a URL asks for; the first one when it asks for none or for one that is not
 * allowed. Undefined for a manager without any.
 */
export function readUserTab(
  params: URLSearchParams,
  allowed: readonly UserTab[],
): UserTab | undefined {
  return allowed.find((tab) => tab === params.get("tab")) ?? allowed[0];
}
