import { href } from "react-router";

/** Returns the URL of the user's own keys in an area. */
export function keysPath(area: "app" | "manager"): string {
  return area === "manager" ? href("/manager/account/keys") : href("/app/account/keys");
}
