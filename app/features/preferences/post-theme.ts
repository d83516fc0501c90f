import { href } from "react-router";
import type { ThemeChoice } from "../../ui/forms/theme-choice.ts";

/**
 * Sends a theme to the server, past the router: a fetcher would load the page again when the answer
 * comes, and cut off a form that the person sends meanwhile.
 */
export function postTheme(theme: ThemeChoice): Promise<Response> {
  const body = new URLSearchParams({ intent: "theme", value: theme });
  return fetch(href("/preferences"), { method: "POST", body, redirect: "manual" });
}
