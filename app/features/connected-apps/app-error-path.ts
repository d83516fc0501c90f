import { href } from "react-router";

/** Returns the page that says why there is no way to the app. */
export function appErrorPath(code: string): string {
  return `${href("/app/connect/error")}?${new URLSearchParams({ error: code })}`;
}
