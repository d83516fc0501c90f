import { href, redirect } from "react-router";
import { signOut, toastOf } from "../features/auth/gateway/sign-out.server.ts";
import { safeRedirect } from "../http/safe-redirect.ts";
import { redirectWithToast } from "../http/toast.ts";
import { gatewayCall } from "../middleware/gateway-call.server.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Route } from "./+types/sign-out.ts";

export function loader() {
  return redirect(href("/"));
}

/**
 * Ends the session; if the server cannot, at least in this browser. A manager who impersonates returns to their own
 * session. `redirect` is the page to open after the next sign-in.
 */
export async function action({ request, context, url }: Route.ActionArgs) {
  const { db, keys, config } = context.get(servicesContext);
  const { isSecure } = config;
  const ended = await signOut({ db, keys, isSecure }, gatewayCall(request, context));
  const next = safeRedirect(url.searchParams.get("redirect"));
  const search =
    next && !ended.isImpersonation ? `?${new URLSearchParams({ redirect: next })}` : "";
  return redirectWithToast(ended.location + search, toastOf(ended), ended.headers);
}
