import { href } from "react-router";
import { can } from "../../access/permissions.ts";
import type { SignedIn } from "./scope.server.ts";

/** Returns the screen on which a user starts; not `/manager`, which would redirect. */
export function homeOf(user: { role: string }): string {
  return can(user, "apps", "manager") ? href("/manager/dashboard") : href("/app");
}

/** Returns the first screen after a sign-in, on the way to the page that the user asked for. */
export function firstScreenOf(
  { role, isOnboarded, isInGracePeriod }: SignedIn,
  target: string | undefined,
): string {
  const back = target ? `?redirect=${encodeURIComponent(target)}` : "";
  if (isInGracePeriod) return href("/restore") + back;
  if (!isOnboarded) return href("/onboarding") + back;
  return target ?? homeOf({ role });
}
