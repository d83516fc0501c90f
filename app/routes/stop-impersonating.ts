import { href, redirect } from "react-router";
import { stopImpersonation } from "../features/auth/impersonation.server.ts";
import { toastOf } from "../features/auth/sign-out.server.ts";
import { redirectWithToast } from "../http/toast.ts";
import { gatewayCall } from "../middleware/gateway-call.ts";
import { servicesContext } from "../worker/services.server.ts";
import type { Route } from "./+types/stop-impersonating.ts";

export function loader() {
  return redirect(href("/"));
}

/** Leads a manager back from the person they acted as; somebody who acts as nobody goes where they belong. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, keys, config } = context.get(servicesContext);
  const { isSecure } = config;
  const stopped = await stopImpersonation({ db, keys, isSecure }, gatewayCall(request, context));
  if (!stopped.ok) return redirect(href("/"));
  const toast = toastOf({ ...stopped, isImpersonation: true });
  return redirectWithToast(stopped.location, toast, stopped.headers);
}
