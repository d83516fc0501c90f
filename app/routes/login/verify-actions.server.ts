import { data, href, redirect, redirectDocument } from "react-router";
import {
  type CodeState,
  changedCodeCookie,
  codeSentCookie,
  readCodeSent,
} from "../../features/auth/codes/code-sent.ts";
import { LINK_TTL_MS } from "../../features/auth/codes/link-ttl.ts";
import {
  codeFormErrors,
  messageForCode,
  waitMessage,
} from "../../features/auth/gateway/error-message.ts";
import { invalid, type PostedForm } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { redirectWithToast } from "../../http/toast.ts";
import type { ErrorCode } from "../../i18n/message-key.ts";
import { gatewayCall } from "../../middleware/gateway-call.server.ts";
import { languageContext } from "../../middleware/locale.ts";
import { keepsOtherPreferences } from "../../middleware/own-preferences.ts";
import { servicesContext } from "../../runtime/services-context.ts";
import { messageReference } from "../../ui/text/message.tsx";

/** The e-mail that the code was sent to, and the path to open after the sign-in. */
type SignIn = { email: string; redirect: string | undefined };

/** Sends another one-time code, at the earliest when the countdown has ended. Redirects to the same screen. */
export async function resendCode(
  { request, context, url, result }: PostedForm,
  signIn: SignIn,
  captchaToken: string | undefined,
) {
  const { gateway, keys } = context.get(servicesContext);
  const { now } = context.get(requestContext);
  const {
    countdowns: { resendIn },
  } = await readCodeSent(keys, request, signIn.email, now());
  if (resendIn > 0) {
    return invalid(result, { resend: [waitMessage(resendIn)] });
  }
  const call = { ...gatewayCall(request, context), captchaToken };
  const sent = await gateway.pass(call, "/email-otp/send-verification-otp", signIn);
  if (!sent.ok) {
    const message = messageForCode(sent.code, { ...sent, language: context.get(languageContext) });
    return invalid(result, { resend: [message] }, sent);
  }
  const { headers, body } = sent;
  headers.append("Set-Cookie", await codeSentCookie(keys, signIn.email, body, now()));
  const here = url.pathname + url.search;
  // The screen says that no new mail has left, and when the next one can.
  if (body.mailed === false) return redirect(here, { headers });
  return redirectWithToast(here, { kind: "success", message: "login:resent" }, headers);
}

/**
 * Signs in with a one-time code or the key of its mail's link, and redirects to the user's first
 * screen. `isLink` is true for a link that was pasted.
 */
export async function signInWithCode(
  { request, context, result: form }: PostedForm,
  signIn: SignIn,
  { otp, isLink = false }: { otp: string; isLink?: boolean },
) {
  const { gateway, keys } = context.get(servicesContext);
  const { email, redirect: target } = signIn;
  const result = await gateway.pass(gatewayCall(request, context), "/sign-in/email-otp", {
    email,
    otp,
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
  if (isLink && result.code === "OTP_EXPIRED") {
    const message = messageReference("validation:mailLink.old", { count: LINK_TTL_MS / 60_000 });
    return invalid(form, { mailLink: [message] }, result);
  }
  const refused = invalid(form, codeFormErrors(result, context.get(languageContext)), result);
  const state = STATES[result.code];
  if (!state) return refused;
  // After a reload the screen still says so.
  const now = context.get(requestContext).now();
  const cookie = await changedCodeCookie(keys, request, email, state, now);
  const headers = new Headers(refused.init?.headers);
  headers.append("Set-Cookie", cookie);
  return data(refused.data, { ...refused.init, headers });
}

/** What the screen remembers of a refusal. */
const STATES: Partial<Record<ErrorCode, CodeState>> = {
  TOO_MANY_ATTEMPTS: "spent",
  LINK_REQUIRED: "link",
};
