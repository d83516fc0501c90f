import { href, redirect } from "react-router";
import { signOut, toastOf } from "../features/auth/sign-out.server.ts";
import { redirectWithToast } from "../http/toast.ts";
import { gatewayCall } from "../middleware/gateway-call.ts";
import { servicesContext } from "../worker/services.server.ts";
import type { Route } from "./+types/sign-out.ts";

export function loader() {
  return redirect(href("/"));
}

/** Ends the session; when the server cannot, in this browser at least. A manager who impersonates gets back to themselves. */
export async function action({ request, context }: Route.ActionArgs) {
  const { db, keys, config } = context.get(servicesContext);
  const { isSecure } = config;
  const ended = await signOut({ db, keys, isSecure }, gatewayCall(request, context));
  return redirectWithToast(ended.location, toastOf(ended), ended.headers);
}
