import { href, redirect, redirectDocument } from "react-router";
import { codeSentCookie, readCountdowns } from "../../features/auth/codes/code-sent.ts";
import { codeFormErrors, messageForCode } from "../../features/auth/gateway/error-message.ts";
import { invalid } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { redirectWithToast } from "../../http/toast.ts";
import { languageContext } from "../../middleware/locale.ts";
import { keepsOtherPreferences } from "../../middleware/own-preferences.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { messageReference } from "../../ui/text/message.tsx";
import { gatewayCall } from "../gateway-call.server.ts";
import type { LoginCall } from "./login-actions.server.ts";

/** The e-mail that the code was sent to, and the path to open after the sign-in. */
type SignIn = { email: string; redirect: string | undefined };

/** Sends another one-time code, at the earliest when the countdown has ended. Redirects to the same screen. */
export async function resendCode(
  { request, context, url, result }: LoginCall,
  signIn: SignIn,
  captchaToken: string | undefined,
) {
  const { gateway } = context.get(servicesContext);
  const { now } = context.get(requestContext);
  const { resendIn } = readCountdowns(request, now());
  if (resendIn > 0) {
    const message = messageReference("login:resendIn", { count: resendIn });
    return invalid(result, { resend: [message] });
  }
  const call = { ...gatewayCall(request, context), captchaToken };
  const sent = await gateway.pass(call, "/email-otp/send-verification-otp", signIn);
  if (!sent.ok) {
    const message = messageForCode(sent.code, { ...sent, language: context.get(languageContext) });
    return invalid(result, { resend: [message] }, sent);
  }
  const headers = new Headers({ "Set-Cookie": codeSentCookie(now()) });
  const toast = { kind: "success", message: "login:resent" } as const;
  return redirectWithToast(url.pathname + url.search, toast, headers);
}

/** Signs in with a one-time code, and redirects to the user's first screen. */
export async function signInWithCode(
  { request, context, result: form }: LoginCall,
  signIn: SignIn,
  code: string,
) {
  const { gateway } = context.get(servicesContext);
  const { email, redirect: target } = signIn;
  const result = await gateway.pass(gatewayCall(request, context), "/sign-in/email-otp", {
    email,
    otp: code,
    redirect: target,
  });
  if (result.ok) {
    // A page in another language or theme needs a new document.
    const isOther = keepsOtherPreferences(request, context, result.body.user);
    const goTo = isOther ? redirectDocument : redirect;
    return goTo(result.firstScreen ?? href("/login"), { headers: result.headers });
  }
  if (result.code === "BANNED_USER") {
    const search = new URLSearchParams({ error: "BANNED_USER", email });
    return redirect(`${href("/login/error")}?${search}`, { headers: result.headers });
  }
  return invalid(form, codeFormErrors(result, context.get(languageContext)), result);
}
