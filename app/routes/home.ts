import { href, redirect } from "react-router";

/** Redirects to the login screen, which sends signed-in users on to their area. */
export function loader() {
  return redirect(href("/login"));
}

/** Never drawn. With a component the route is a screen, so a POST is answered with the error page and not with JSON. */
export default function HomeScreen() {
  return null;
}
