import { href, redirect } from "react-router";
import { toastOf } from "../features/auth/gateway/sign-out.server.ts";
import { stopImpersonation } from "../features/auth/impersonation/impersonation.server.ts";
import { redirectWithToast } from "../http/toast.ts";
import { gatewayCall } from "../middleware/gateway-call.server.ts";
import { servicesContext } from "../runtime/services-context.ts";
import type { Route } from "./+types/stop-impersonating.ts";

export function loader() {
  return redirect(href("/"));
}

/**
 * Ends an impersonation and returns the manager to the user's screen. A user who impersonates no one goes to their own
 * area.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, keys, config } = context.get(servicesContext);
  const { isSecure } = config;
  const stopped = await stopImpersonation({ db, keys, isSecure }, gatewayCall(request, context));
  if (!stopped.ok) return redirect(href("/"));
  const toast = toastOf({ ...stopped, isImpersonation: true });
  return redirectWithToast(stopped.location, toast, stopped.headers);
}
