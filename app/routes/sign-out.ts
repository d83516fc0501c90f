import { href, redirect } from "react-router";
import { signOut, toastOf } from "../features/auth/gateway/sign-out.server.ts";
import { redirectWithToast } from "../http/toast.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Route } from "./+types/sign-out.ts";
import { gatewayCall } from "./gateway-call.server.ts";

export function loader() {
  return redirect(href("/"));
}

/**
 * Ends the session; if the server cannot, at least in this browser. A manager who impersonates returns to their own
 * session.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, keys, config } = context.get(servicesContext);
  const { isSecure } = config;
  const ended = await signOut({ db, keys, isSecure }, gatewayCall(request, context));
  return redirectWithToast(ended.location, toastOf(ended), ended.headers);
}
