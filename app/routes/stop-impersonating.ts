import { href, redirect } from "react-router";
import { redirectWithToast } from "../http/toast.ts";
import { doorCall } from "../middleware/door-call.ts";
import { servicesContext } from "../services.server.ts";
import type { Route } from "./+types/stop-impersonating.ts";

export function loader() {
  return redirect(href("/"));
}

/** Leads a manager back from the person they acted as; somebody who acts as nobody goes where they belong. */
export async function action({ request, context }: Route.ActionArgs) {
  const { door } = context.get(servicesContext);
  const result = await door.pass(doorCall(request, context), "/admin/stop-impersonating", {});
  if (!result.ok) return redirect(href("/"));
  const toast = { kind: "info", message: "common:impersonation.ended" } as const;
  return redirectWithToast(String(result.body.url), toast, result.headers);
}
