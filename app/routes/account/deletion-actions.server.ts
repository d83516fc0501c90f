import { redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import type { PostedForm } from "../../http/forms.server.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ownRequest } from "./code-actions.server.ts";
import { refuseCode } from "./code-answers.server.ts";

/** Sends the code for the account deletion, and redirects to the screen that takes it. */
export async function requestDeletion({ context, url, result }: PostedForm) {
  const sent = await context.get(servicesContext).accountDeletion.request(ownRequest(context));
  // The code's screen shows how long the user must wait for another code.
  if (sent.ok || sent.code === "RESEND_TOO_SOON")
    return redirect(accountPaths(areaOf(url)).deletion);
  return refuseCode(context, result, sent, "deletion");
}
