import { href } from "react-router";

/** Returns the URL of the page with a call that waits for the user's approval. */
export function approvalPath(area: "app" | "manager", approval: string): string {
  return area === "manager"
    ? href("/manager/account/apps/approvals/:approval", { approval })
    : href("/app/account/apps/approvals/:approval", { approval });
}

/** Returns the URL of the user's own connected apps in an area. */
export function appsPath(area: "app" | "manager"): string {
  return area === "manager" ? href("/manager/account/apps") : href("/app/account/apps");
}
