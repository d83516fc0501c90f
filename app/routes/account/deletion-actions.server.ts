import { redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { AccountCall } from "./account-call.server.ts";
import { ownRequest, refuseCode } from "./code-actions.server.ts";

/** Sends the code that the deletion takes, and leads to where it is entered. */
export async function requestDeletion({ request, context, url, result }: AccountCall) {
  const sent = await context
    .get(servicesContext)
    .accountDeletion.request(ownRequest(request, context));
  // The screen that takes the code shows how long another one has to wait.
  if (sent.ok || sent.code === "RESEND_TOO_SOON")
    return redirect(accountPaths(areaOf(url)).deletion);
  return refuseCode(context, result, sent, "deletion");
}
