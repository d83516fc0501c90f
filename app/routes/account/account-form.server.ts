import type { RouterContextProvider } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import type { FormResult } from "../../http/forms.server.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { requireActor, requireOwner } from "../../middleware/current-user.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import type { CheckedMessage } from "../../ui/text/message.tsx";

/** A posted form of the account screen, with its fields parsed. */
export type AccountCall = {
  request: Request;
  context: Readonly<RouterContextProvider>;
  url: URL;
  result: FormResult;
};

/** Returns the owner of the account, who posted the form, and the actor for the audit log. */
export function ownerOf({ context }: AccountCall) {
  const { db, config } = context.get(servicesContext);
  const actor = requireActor(context, "account", "update");
  return { db, isSecure: config.isSecure, actor, ...requireOwner(context) };
}

/** Redirects to the account screen with a success toast. */
export function done({ url }: AccountCall, message: CheckedMessage) {
  const { account } = accountPaths(areaOf(url));
  return redirectWithToast(account, { kind: "success", message });
}
