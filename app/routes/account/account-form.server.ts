import { accountPaths, areaOf } from "../../features/account/areas.ts";
import type { PostedForm } from "../../http/forms.server.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requireOwner } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { CheckedMessage } from "../../ui/text/message.tsx";

/** Returns the owner of the account, who posted the form, and the actor for the audit log. */
export function ownerOf({ context }: PostedForm) {
  const { db, config } = context.get(servicesContext);
  const actor = requireActor(context, "account", "update");
  return { db, isSecure: config.isSecure, actor, ...requireOwner(context) };
}

/** Redirects to the account screen with a success toast. */
export function done({ url }: PostedForm, message: CheckedMessage) {
  const { account } = accountPaths(areaOf(url));
  return redirectWithToast(account, { kind: "success", message });
}
