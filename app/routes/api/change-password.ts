import { href, redirect } from "react-router";
import { findCurrentSession } from "../../middleware/session.ts";
import type { Route } from "./+types/change-password.ts";

/**
 * Leads password managers to where sign-in methods are changed, through the login screen if needed. Source: W3C, A
 * Well-Known URL for Changing Passwords.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const security = `${href("/app/account")}#security`;
  if (await findCurrentSession(context)) return redirect(security);
  // A browser does not keep the fragment through the forms of the sign-in.
  return redirect(`${href("/login")}?redirect=${encodeURIComponent(security)}`);
}
