import { redirect } from "react-router";
import { accountPaths, areaOf } from "../../features/account/areas.ts";
import { AccountSearch, readNewEmail } from "../../features/account/input.ts";
import { invalid, type PostedForm } from "../../http/forms.server.ts";
import { parseSearch } from "../../http/search-params.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { ownRequest, trustMailbox } from "./code-actions.server.ts";
import { answerResend, refuseCode } from "./code-answers.server.ts";

/** Sends a code to the current e-mail, and redirects to the screen that takes it. Refuses the account's own e-mail. */
export async function startEmailChange({ context, url, result }: PostedForm, email: string) {
  const own = ownRequest(context);
  if (email === own.current.user.email) return invalid(result, { email: ["account:email.own"] });
  const sent = await context.get(servicesContext).emailChange.start(own, email);
  if (!sent.ok) return refuseCode(context, result, sent, "email");
  const { account } = accountPaths(areaOf(url));
  return redirect(`${account}?newEmail=${encodeURIComponent(email)}`);
}

/** Sends the code of the pending step of the e-mail change again. */
export async function resendEmailCode({ context, url, result }: PostedForm) {
  const { emailChange } = context.get(servicesContext);
  const sent = await emailChange.resend(ownRequest(context), newEmailOf(url));
  return answerResend(context, url, result, sent);
}

/** Checks the code of a step. Redirects to the next step, and after the last one to the account screen. */
export async function verifyEmailCode(
  { request, context, url, result }: PostedForm,
  entered: { code: string; step?: string },
) {
  const { emailChange } = context.get(servicesContext);
  const newEmail = newEmailOf(url);
  const taken = await emailChange.verify(ownRequest(context), newEmail, entered);
  if (!taken.ok) return refuseCode(context, result, taken, "verify");
  const { account } = accountPaths(areaOf(url));
  if (taken.outcome === "next_step") return redirect(url.pathname + url.search);
  if (taken.outcome === "unchanged") return redirect(account);
  const headers = new Headers({ "Set-Cookie": await trustMailbox(request, context, newEmail) });
  const toast = { kind: "success", message: "account:toast.emailChanged" } as const;
  return redirectWithToast(account, toast, headers);
}

function newEmailOf(url: URL): string {
  return readNewEmail(parseSearch(url, AccountSearch).newEmail).newEmail;
}
