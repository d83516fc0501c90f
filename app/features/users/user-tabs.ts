/** Tabs of a user's screen; the first is shown without `?tab=`. */
export const USER_TABS = ["activity", "sessions", "emails", "audit"] as const;

export type UserTab = (typeof USER_TABS)[number];

/** Returns the tab that a URL asks for; the first one when it asks for none or for one that is not allowed. */
export function readUserTab(params: URLSearchParams, allowed: readonly UserTab[]): UserTab {
  return allowed.find((tab) => tab === params.get("tab")) ?? USER_TABS[0];
}
