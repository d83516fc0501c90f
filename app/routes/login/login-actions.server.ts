import { href, redirect } from "react-router";
import { codeSentCookie } from "../../features/auth/codes/code-sent.ts";
import { messageForCode } from "../../features/auth/gateway/error-message.ts";
import { dropPendingLink } from "../../features/auth/sign-in/pending-link.server.ts";
import { invalid, type PostedForm } from "../../http/forms.server.ts";
import { requestContext } from "../../http/request-context.ts";
import { safeRedirect } from "../../http/safe-redirect.ts";
import { gatewayCall } from "../../middleware/gateway-call.server.ts";
import { languageContext } from "../../middleware/locale.ts";
import { servicesContext } from "../../runtime/services-context.ts";

/** Redirects to a provider, or to the error screen when the provider cannot be used. */
export async function signInWithProvider({ request, context, url }: PostedForm, provider: string) {
  const { gateway } = context.get(servicesContext);
  const result = await gateway.pass(gatewayCall(request, context), "/sign-in/social", {
    provider,
    callbackURL: targetOf(url),
  });
  if (result.ok && typeof result.body.url === "string") {
    return redirect(result.body.url, { headers: result.headers });
  }
  return redirect(`${href("/login/error")}?error=unknown_error`);
}

/** Sends a one-time code, and redirects to the screen that takes it. */
export async function sendCode(
  { request, context, url, result: form }: PostedForm,
  email: string,
  captchaToken: string | undefined,
) {
  const { gateway, config, keys } = context.get(servicesContext);
  const target = targetOf(url);
  const result = await gateway.pass(
    { ...gatewayCall(request, context), captchaToken },
    "/email-otp/send-verification-otp",
    { email, redirect: target },
  );
  if (!result.ok) {
    const { code, retryAfterSeconds, status } = result;
    const language = context.get(languageContext);
    const message = messageForCode(code, { retryAfterSeconds, language });
    return invalid(
      form,
      { [code === "INVALID_EMAIL" ? "email" : ""]: [message] },
      { status, retryAfterSeconds },
    );
  }
  const search = new URLSearchParams({ ...(target && { redirect: target }), email });
  const { now } = context.get(requestContext);
  const { headers } = result;
  headers.append("Set-Cookie", await codeSentCookie(keys, email, result.body, now()));
  // A sign-in that starts here drops the pending link of an earlier sign-in at a provider.
  const dropped = dropPendingLink(request, config.isSecure);
  if (dropped) headers.append("Set-Cookie", dropped);
  return redirect(`${href("/login/verify")}?${search}`, { headers });
}

/** Returns the path to open after the sign-in; undefined for the user's first screen. */
function targetOf(url: URL): string | undefined {
  return safeRedirect(url.searchParams.get("redirect"));
}
