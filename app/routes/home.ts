import { href, redirect } from "react-router";

/** The front door: the login screen sends whoever is signed in on to their area. */
export function loader() {
  return redirect(href("/login"));
}
