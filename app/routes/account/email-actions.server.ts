import { type RouterContextProvider, redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { AccountSearch, readNewEmail } from "../../features/account/input.ts";
import { type FormResult, invalid } from "../../http/forms.server.ts";
import { parseSearch } from "../../http/search-params.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { answerResend, ownRequest, refuseCode, trustMailbox } from "./code-actions.server.ts";

/** A form of the account's screen, as far as it was understood. */
export type AccountCall = {
  request: Request;
  context: Readonly<RouterContextProvider>;
  url: URL;
  result: FormResult;
};

/** Sends the current address its code, and leads to where it is entered. One's own address is refused. */
export async function startEmailChange(
  { request, context, url, result }: AccountCall,
  email: string,
) {
  const own = ownRequest(request, context);
  if (email === own.current.user.email) return invalid(result, { email: ["account:email.own"] });
  const sent = await context.get(servicesContext).emailChange.start(own, email);
  if (!sent.ok) return refuseCode(context, result, sent, "email");
  const { account } = accountPaths(areaOf(url));
  return redirect(`${account}?newEmail=${encodeURIComponent(email)}`);
}

/** Sends the code of the step that the address's change waits at once more. */
export async function resendEmailCode({ request, context, url, result }: AccountCall) {
  const { emailChange } = context.get(servicesContext);
  const sent = await emailChange.resend(ownRequest(request, context), newEmailOf(url));
  return answerResend(context, url, result, sent);
}

/** Takes the code of a step: leads to the next one, and from the last one back to the account. */
export async function verifyEmailCode(
  { request, context, url, result }: AccountCall,
  entered: { code: string; step?: string },
) {
  const { emailChange } = context.get(servicesContext);
  const newEmail = newEmailOf(url);
  const taken = await emailChange.verify(ownRequest(request, context), newEmail, entered);
  if (!taken.ok) return refuseCode(context, result, taken, "verify");
  const { account } = accountPaths(areaOf(url));
  if (taken.outcome === "next_step") return redirect(url.pathname + url.search);
  if (taken.outcome === "unchanged") return redirect(account);
  const headers = new Headers({ "Set-Cookie": await trustMailbox(request, context, newEmail) });
  const toast = { kind: "success", message: "account:toast.emailChanged" } as const;
  return redirectWithToast(account, toast, headers);
}

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

function newEmailOf(url: URL): string {
  return readNewEmail(parseSearch(url, AccountSearch).newEmail).newEmail;
}
