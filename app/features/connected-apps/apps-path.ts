import { href } from "react-router";

/** Returns the URL of the user's own connected apps in an area. */
export function appsPath(area: "app" | "manager"): string {
  return area === "manager" ? href("/manager/account/apps") : href("/app/account/apps");
}
