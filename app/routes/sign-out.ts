import { href, redirect } from "react-router";
import { clearSessionCookie } from "../features/auth/session.server.ts";
import { requestContext } from "../http/request-context.ts";
import { redirectWithToast } from "../http/toast.ts";
import { describeError, log } from "../log.ts";
import { doorCall } from "../middleware/door-call.ts";
import { servicesContext } from "../services.server.ts";
import type { Route } from "./+types/sign-out.ts";

export function loader() {
  return redirect(href("/"));
}

/** Ends the session; when the server cannot, at least in this browser. Whoever acts as somebody else gets back to themselves. */
export async function action({ request, context }: Route.ActionArgs) {
  const { door, config } = context.get(servicesContext);
  const result = await door.pass(doorCall(request, context), "/sign-out", {}).catch((error) => {
    log("error", "sign_out.failed", {
      request: context.get(requestContext).id,
      ...describeError(error),
    });
    return { ok: false as const, headers: new Headers() };
  });
  const { headers } = result;
  if (result.ok && typeof result.body.url === "string") {
    const toast = { kind: "info", message: "common:impersonation.ended" } as const;
    return redirectWithToast(result.body.url, toast, headers);
  }
  if (!result.ok) headers.append("Set-Cookie", clearSessionCookie(config.isSecure));
  return redirectWithToast(href("/login"), { kind: "info", message: "common:signedOut" }, headers);
}
